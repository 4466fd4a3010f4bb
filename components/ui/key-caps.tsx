import { Fragment } from "react";
import { cn } from "#lib/cn.ts";

interface KeyCapsProps {
  /** Keys pressed in sequence. */
  keys: readonly string[];
  /** Screen-reader text between the keys. */
  then?: string;
  className?: string;
}

/** Shows keys of the keyboard, in the order in which they are pressed. */
export function KeyCaps({ keys, then, className }: KeyCapsProps) {
  return (
    <span className={cn("inline-flex shrink-0 gap-1", className)}>
      {keys.map((key, at) => (
        <Fragment key={at}>
          {at > 0 && then && <span className="sr-only"> {then} </span>}
          <kbd className="key-cap">{key}</kbd>
        </Fragment>
      ))}
    </span>
  );
}

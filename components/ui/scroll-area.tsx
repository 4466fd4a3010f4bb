import type { ReactNode } from "react";
import { cn } from "#lib/cn.ts";

interface ScrollAreaProps {
  label: string;
  className?: string;
  children: ReactNode;
}

/** A scrollable list within a page. */
export function ScrollArea({ label, className, children }: ScrollAreaProps) {
  return (
    <div
      role="group"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a keyboard scrolls only what it can focus
      tabIndex={0}
      aria-label={label}
      className={cn("relative overflow-y-auto rounded border text-sm", className)}
    >
      {children}
    </div>
  );
}

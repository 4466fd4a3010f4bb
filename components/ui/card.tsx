import type { ComponentProps, ReactNode } from "react";
import { cn } from "#lib/cn.ts";

export function Card({ className, ...props }: ComponentProps<"section">) {
  return <section className={cn("card", className)} {...props} />;
}

export function CardTitle({ children, id }: { children: ReactNode; id?: string }) {
  return (
    <h2 id={id} className="font-semibold">
      {children}
    </h2>
  );
}

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

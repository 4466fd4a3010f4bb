import Link from "next/link";
import type { ComponentProps } from "react";
import { cn } from "#lib/cn.ts";

/** Spans the row it stands in; the keys of a list go from one to the next. */
export function RowLink({ className, ...props }: ComponentProps<typeof Link>) {
  return (
    <Link
      data-row-link
      prefetch={false}
      className={cn(
        "block truncate font-medium -outline-offset-2 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent",
        className,
      )}
      {...props}
    />
  );
}

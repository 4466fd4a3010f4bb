import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "#lib/cn.ts";
import { UrlLink } from "./url-link.tsx";

export type SortDirection = "ascending" | "descending" | "none";

interface SortHeadProps {
  href: string;
  direction: SortDirection;
  children: ReactNode;
}

/** The head of a column by which the list can be sorted; which way it is says `aria-sort` of its cell. */
export function SortHead({ href, direction, children }: SortHeadProps) {
  const Arrow = direction === "descending" ? ArrowDown : ArrowUp;
  return (
    <>
      {/* Cards have no heads that could be seen with the focus on them. */}
      <span className="md:hidden">{children}</span>
      <UrlLink
        href={href}
        className="group relative inline-flex min-h-6 max-w-full items-center gap-1 rounded hover:text-ink max-md:hidden"
      >
        <span className="truncate">{children}</span>
        <Arrow
          aria-hidden
          className={cn(
            // Inwards of a column that ends at its right edge, where the next head begins.
            "absolute left-full mx-0.5 size-3 in-[.text-right]:right-full in-[.text-right]:left-auto",
            direction === "none"
              ? "opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60"
              : "text-accent",
          )}
        />
      </UrlLink>
    </>
  );
}

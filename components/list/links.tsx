"use client";

import type { ComponentProps, MouseEvent } from "react";
import Link from "next/link";
import { ChevronLeft } from "lucide-react";
import { useRouter } from "next/navigation";
import { cn } from "#lib/cn.ts";
import { scopePath } from "#lib/scope.ts";
import { ScopedLink, useScope } from "#components/context/seller-context.tsx";

interface UrlLinkProps extends ComponentProps<"a"> {
  href: string;
}

/**
 * A link to another state of the same list. The cache answers it, so the server is not asked for the
 * page again; before hydration, and in a new tab, it is an ordinary link.
 */
export function UrlLink({ href, onClick, ...props }: UrlLinkProps) {
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (event.defaultPrevented || event.button !== 0 || !isPlain) return;
    event.preventDefault();
    pushUrl(href);
  }
  return <a href={href} onClick={follow} {...props} />;
}

/** Next's router takes part: useSearchParams follows, and the back button too. */
export function pushUrl(href: string) {
  if (href !== window.location.pathname + window.location.search) {
    window.history.pushState(null, "", href);
  }
}

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

/** A link from a record to its list, with the filter and page of the last visit. */
export function BackLink({ href, children }: { href: string; children: string }) {
  const path = scopePath(useScope(), href);
  const router = useRouter();
  return (
    <ScopedLink
      href={href}
      onNavigate={(event) => {
        const search = readListPosition(path)?.search;
        if (!search) return;
        event.preventDefault();
        router.push(path + search);
      }}
      aria-keyshortcuts="Escape"
      className="mb-3 -ml-1 inline-flex h-6 items-center gap-0.5 rounded pr-1 text-sm text-muted hover:text-ink max-md:-mt-4 max-md:h-11"
    >
      <ChevronLeft aria-hidden className="size-4" />
      {children}
    </ScopedLink>
  );
}

interface Left {
  /** The list's filter and page, as they stand in the address. */
  search: string;
  /** Which of its rows was opened. */
  row: string;
}

/** By the path of the list. In memory alone: after a reload the list begins at its top. */
const left = new Map<string, Left>();

export const saveListPosition = (path: string, list: Left) => void left.set(path, list);

/** How a list was left for one of its records, so that the way back leads there. */
export const readListPosition = (path: string): Left | undefined => left.get(path);

"use client";

import type { ComponentProps, MouseEvent } from "react";

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

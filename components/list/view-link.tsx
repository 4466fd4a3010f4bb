"use client";

import { useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { usePathname, useRouter } from "next/navigation";
import type { ComponentProps, MouseEvent } from "react";
import { pushUrl } from "#components/list/url-link.tsx";
import { scopePath } from "#lib/scope.ts";
import { viewPath, type View } from "#lib/subscriptions/views/rules.ts";
import { PLACES } from "#components/context/places.ts";
import { useScope } from "#components/context/seller-context.tsx";
import { keepLine } from "./use-list-view.ts";

interface ViewLinkProps extends Omit<ComponentProps<typeof Link>, "href"> {
  view: View;
}

/** A plain link; within the list the cache answers it, and its words go along without an address. */
export function ViewLink({ view, onClick, ...props }: ViewLinkProps) {
  const client = useQueryClient();
  const router = useRouter();
  const scope = useScope();
  const href = viewPath(scope, view);
  const isInList = usePathname() === scopePath(scope, PLACES.subscriptions.path);
  const prepare = () => isInList || router.prefetch(href);

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (event.defaultPrevented || event.button !== 0 || !isPlain) return;
    keepLine(client, scope, view.words);
    if (!isInList) return;
    event.preventDefault();
    pushUrl(href);
  }

  return (
    // Not fetched before somebody means it: there can be many.
    <Link
      href={href}
      prefetch={false}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={follow}
      {...props}
    />
  );
}

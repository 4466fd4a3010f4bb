"use client";

import { ChevronLeft } from "lucide-react";
import { useRouter } from "next/navigation";
import { scopePath } from "#lib/scope.ts";
import { readListPosition } from "#components/list/list-position.ts";
import { ScopedLink, useScope } from "#components/context/seller-context.tsx";

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

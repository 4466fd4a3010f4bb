"use client";

import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { CONTROL } from "#components/ui/forms/text-field.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { cn } from "#lib/cn.ts";
import { LONGEST_SEARCH, productsPath } from "#lib/products/search.ts";

/** Filters with each letter; the address follows, so that a colleague sees the same. */
export function ProductSearch({ q, isPlaceholder }: { q: string; isPlaceholder: boolean }) {
  const t = useTranslations("products");
  const scope = useScope();
  const input = useRef<HTMLInputElement>(null);
  const isReady = useHydrated();
  const path = productsPath(scope);
  // The address leads, except while its owner types; what was typed before the page was at work counts.
  useEffect(() => {
    const field = input.current;
    if (!field || field.value === q) return;
    if (document.activeElement === field) show(path, field.value);
    else field.value = q;
  }, [path, q]);
  return (
    <form
      role="search"
      aria-label={t("title")}
      action={path}
      onSubmit={(event) => event.preventDefault()}
      className="relative mb-4 md:w-80"
    >
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
      />
      <input
        ref={input}
        name="q"
        type="search"
        aria-label={t("search.label")}
        placeholder={t("search.placeholder")}
        autoComplete="off"
        maxLength={LONGEST_SEARCH}
        defaultValue={q}
        // A letter that comes before this is at work would be lost with it; later ones are in the address.
        readOnly={isPlaceholder && !isReady}
        onChange={(event) => show(path, event.target.value)}
        className={cn(CONTROL, "h-9 pl-8.5 placeholder:text-faint max-md:h-11")}
      />
    </form>
  );
}

/** Replaces the history entry, so that typing adds none. */
function show(path: string, q: string) {
  const href = q.trim() ? `${path}?${new URLSearchParams({ q })}` : path;
  if (href !== window.location.pathname + window.location.search)
    window.history.replaceState(null, "", href);
}

"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useScope } from "#components/layout/seller-context.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { CONTROL } from "#components/ui/text-field.tsx";
import { cn } from "#lib/cn.ts";
import { knownCustomersQuery } from "#lib/customers/queries.ts";

const LONGEST_SEARCH = 100;

/** What is searched for: not in the address, which is logged, and still there on the way back. */
export function useWords(): [string, (words: string) => void] {
  const queryClient = useQueryClient();
  const key = [useScope(), "customers", "words"] as const;
  const [words, setWords] = useState(() => queryClient.getQueryData<string>(key) ?? "");
  function change(next: string) {
    queryClient.setQueryData(key, next);
    setWords(next);
  }
  return [words, change];
}

interface SearchFieldProps {
  words: string;
  onChange: (words: string) => void;
}

/** Filters with each letter; what is searched is on its way as soon as the field has the focus. */
export function SearchField({ words, onChange }: SearchFieldProps) {
  const queryClient = useQueryClient();
  const scope = useScope();
  const isReady = useHydrated();
  const t = useTranslations("customers.search");
  return (
    <search className="relative mb-4 block md:w-80">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
      />
      <input
        type="search"
        aria-label={t("label")}
        placeholder={t("placeholder")}
        autoComplete="off"
        maxLength={LONGEST_SEARCH}
        // A letter that comes before the page is at work would be lost.
        readOnly={!isReady}
        value={words}
        onFocus={() => void queryClient.prefetchQuery(knownCustomersQuery(scope))}
        onChange={(event) => onChange(event.target.value)}
        className={cn(CONTROL, "h-9 pl-8.5 placeholder:text-faint max-md:h-11")}
      />
    </search>
  );
}

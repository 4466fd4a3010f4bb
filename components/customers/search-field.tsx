"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { SearchInput } from "#components/list/filters/search-input.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { knownCustomersQuery } from "#lib/customers/queries.ts";

const LONGEST_SEARCH = 100;

interface SearchFieldProps {
  words: string;
  onChange: (words: string) => void;
}

/** Filters with each letter; what is searched is on its way as soon as the field has the focus. */
export function SearchField({ words, onChange }: SearchFieldProps) {
  const queryClient = useQueryClient();
  const scope = useScope();
  const t = useTranslations("customers.search");
  return (
    <SearchInput
      label={t("label")}
      placeholder={t("placeholder")}
      longest={LONGEST_SEARCH}
      value={words}
      onChange={onChange}
      onFocus={() => void queryClient.prefetchQuery(knownCustomersQuery(scope))}
    />
  );
}

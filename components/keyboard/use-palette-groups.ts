import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { useSeller } from "#components/context/seller-context.tsx";
import { useViews } from "#components/list/saved-views.tsx";
import { scopePath } from "#lib/scope.ts";
import { useDebounced } from "#components/list/filters/use-words.ts";
import { recordsQuery } from "#lib/subscriptions/queries.ts";
import { recordsFromIndex, findKnownRecords, mergeRecords } from "./known-records.ts";
import { paletteGroups, pastedEntry, recordEntry, type EntryGroup } from "./palette-entries.ts";
import { subscriptionIdIn, searchGroups } from "./palette-search.ts";
import { looseMatchRank } from "#lib/text/match-text.ts";
import { readRecent, type RecentRecord } from "./recent-records.ts";

const MOST_OF_A_GROUP = 8;

/** The entries that match the typed text. */
export function usePaletteGroups(typed: string): EntryGroup[] {
  const t = useTranslations("keyboard");
  const { scope, role, person } = useSeller();
  const queryClient = useQueryClient();
  const path = usePathname().slice(scopePath(scope).length);
  // Read once when the palette opens, so that entries do not move while the user reads them.
  const [recent] = useState(() => readRecent(person, scope));
  const copied = useCopiedRecords(typed);
  const reader = { t, scope, role, language: useLocale(), path, views: useViews() };

  const groups = paletteGroups(reader, recent);
  const found = searchGroups(groups, typed, MOST_OF_A_GROUP);
  const id = subscriptionIdIn(typed);
  if (id !== null) return [{ id: "pasted", items: [pastedEntry(reader, id)] }, ...found];
  const shown = new Set(found.flatMap(({ items }) => items.map((entry) => entry.id)));
  const known = findKnownRecords(queryClient, { scope, role }, typed);
  const records = mergeRecords(known, copied)
    .map((record) => recordEntry(reader, record))
    .filter((entry) => !shown.has(entry.id));
  if (records.length > 0) return [...found, { id: "records", items: records }];
  return found.length > 0
    ? found
    : searchGroups(groups, typed, MOST_OF_A_GROUP, looseMatchRank);
}

const FEWEST_LETTERS = 2;

/** Matches in the search index for the current text, after a pause in typing. */
function useCopiedRecords(typed: string): RecentRecord[] {
  const { scope } = useSeller();
  const words = useDebounced(typed.trim());
  const { data, isPlaceholderData } = useQuery({
    ...recordsQuery(scope, words),
    enabled: words.length >= FEWEST_LETTERS && subscriptionIdIn(words) === null,
  });
  const isOfThis = data && !isPlaceholderData && words === typed.trim();
  return isOfThis ? recordsFromIndex(data) : [];
}

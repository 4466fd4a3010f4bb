import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { useScopedPath, useSeller } from "#components/context/seller-context.tsx";
import { useViews } from "#components/list/saved-views.tsx";
import type { Scope } from "#lib/scope.ts";
import { useDebounced } from "#components/list/filters/use-words.ts";
import {
  type FoundRecords,
  type ListedSubscription,
  listedSubscriptions,
  recordsQuery,
} from "#lib/subscriptions/queries.ts";
import { looseMatchRank, matchRank } from "#lib/text/match-text.ts";
import { can, type Role } from "#lib/auth/permissions.ts";
import { listedCustomers } from "#lib/customers/queries.ts";
import { listedProducts } from "#lib/products/queries.ts";
import { searchProducts } from "#lib/products/search-products.ts";
import { type EntryGroup, paletteGroups, pastedEntry, recordEntry } from "./palette-entries.ts";
import { searchGroups, subscriptionIdIn } from "./palette-search.ts";
import {
  describeCustomer,
  describeProduct,
  describeSubscription,
  readRecent,
  type RecentRecord,
} from "./recent-records.ts";

const MOST_OF_A_GROUP = 8;

/** The entries that match the typed text. */
export function usePaletteGroups(typed: string): EntryGroup[] {
  const t = useTranslations("keyboard");
  const { scope, role, person } = useSeller();
  const queryClient = useQueryClient();
  const path = useScopedPath();
  // Read once when the palette opens, so that entries do not move while the user reads them.
  const [recent] = useState(() => readRecent(person, scope));
  const indexed = useIndexedRecords(typed);
  const reader = { t, scope, role, language: useLocale(), path, views: useViews() };

  const groups = paletteGroups(reader, recent);
  const found = searchGroups(groups, typed, MOST_OF_A_GROUP);
  const id = subscriptionIdIn(typed);
  if (id !== null) return [{ id: "pasted", items: [pastedEntry(reader, id)] }, ...found];
  const shown = new Set(found.flatMap(({ items }) => items.map((entry) => entry.id)));
  const known = findKnownRecords(queryClient, { scope, role }, typed);
  const records = mergeRecords(known, indexed)
    .map((record) => recordEntry(reader, record))
    .filter((entry) => !shown.has(entry.id));
  if (records.length > 0) return [...found, { id: "records", items: records }];
  return found.length > 0
    ? found
    : searchGroups(groups, typed, MOST_OF_A_GROUP, looseMatchRank);
}

const FEWEST_LETTERS = 2;

/** Matches in the search index for the current text, after a pause in typing. */
function useIndexedRecords(typed: string): RecentRecord[] {
  const { scope } = useSeller();
  const words = useDebounced(typed.trim());
  const { data, isPlaceholderData } = useQuery({
    ...recordsQuery(scope, words),
    enabled: words.length >= FEWEST_LETTERS && subscriptionIdIn(words) === null,
  });
  const isOfThis = data && !isPlaceholderData && words === typed.trim();
  return isOfThis ? describeAll(data) : [];
}

/** Matches among the records that this tab has already loaded; sends no request. */
function findKnownRecords(
  client: QueryClient,
  { scope, role }: { scope: Scope; role: Role },
  typed: string,
): RecentRecord[] {
  const words = typed.trim();
  if (words.length < FEWEST_LETTERS) return [];
  const products = can(role, "products:read") ? listedProducts(client, scope) : [];
  const records = describeAll({
    customers: can(role, "customers:read") ? listedCustomers(client, scope) : [],
    subscriptions: listedSubscriptions(client, scope),
    products: searchProducts(products, words),
  });
  return records.filter((record) => record.kind === "product" || matchRank(record, words) > 0);
}

interface Records extends Omit<FoundRecords, "products" | "subscriptions"> {
  subscriptions: ListedSubscription[];
  products: Parameters<typeof describeProduct>[0][];
}

const describeAll = ({ customers, subscriptions, products }: Records): RecentRecord[] => [
  ...customers.map(describeCustomer),
  ...subscriptions.map(describeSubscription),
  ...products.map(describeProduct),
];

const MOST_OF_A_KIND = 5;

/** Merges lists without duplicates, ordered by kind and limited for each. */
function mergeRecords(...lists: RecentRecord[][]): RecentRecord[] {
  const all = [...new Map(lists.flat().map((one) => [`${one.kind} ${one.id}`, one])).values()];
  const kinds = ["customer", "subscription", "product"] as const;
  return kinds.flatMap((kind) =>
    all.filter((one) => one.kind === kind).slice(0, MOST_OF_A_KIND),
  );
}

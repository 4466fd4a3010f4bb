import { type QueryClient, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Customer } from "#contract/customers.ts";
import type { Product } from "#contract/products.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { type Scope, apiPath } from "#lib/scope.ts";
import type { Debt } from "#lib/money/debt.ts";
import { type ListAnswer, refetchList, searchTextHeader } from "#lib/list-answer.ts";
import { refetchEvery, type SentQuery } from "#lib/query/client.ts";
import { fromPropJson, fetchJson, readRoute } from "#lib/query/fetch-json.ts";
import type { Facet } from "#lib/search-index/query/conditions.ts";
import type { SubscriptionCounts } from "#lib/search-index/query/subscription-query.ts";
import type { SubscriptionColumn } from "#lib/subscriptions/columns.ts";
import type { CountedTag } from "#lib/tags/rules.ts";
import type { DateSource } from "./date-source.ts";
import type { ApiCounters } from "./rules.ts";
import { type SubscriptionSearch, subscriptionQueryString } from "./search.ts";

const MINUTE = 60_000;

export interface SubscriptionRecord {
  subscription: Subscription;
  /** The link to pay; null if the status allows no payment, or the checkout's address is unknown. */
  checkout_url: string | null;
  reached: DateSource;
  /** A debt kept from a move; null if there is none, or until the record shows the moved date. */
  debt: Debt | null;
  /** Tags of the customer. */
  tags: string[];
}

export type { SubscriptionCounts };

/** The fields of a subscription in rows of lists; the others would be a quarter of an answer. */
export interface ListedSubscription extends Omit<Subscription, "client"> {
  client: Pick<Subscription["client"], "phone" | "full_name">;
}

/** The API's counters are null if the search index answered, or if the service does not count. */
export interface SubscriptionList extends ListAnswer<ListedSubscription>, ApiCounters {}

export interface FoundRecords {
  subscriptions: Subscription[];
  customers: Customer[];
  products: Product[];
}

/** The parameter that asks for an `OpenedRecord` instead of the record alone. */
export const OPENED = "opened";

export interface OpenedRecord {
  record: SubscriptionRecord;
  /** The queries that its page reads too: `SentQuery[]` by `toPropJson`. */
  beside: string;
}

/** The answer to a change: the record before it, and after it if it could be read. */
export interface ChangedSubscription {
  before: Subscription;
  record: SubscriptionRecord | null;
}

export interface CreatedRecord {
  subscription_id: string;
  /** Whether an unpaid subscription was reused; null if unknown. */
  is_reused: boolean | null;
  /** The reused subscription as it was before, if known. */
  before: Subscription | null;
}

export const subscriptionsKey = (scope: Scope) => [scope, "subscriptions"] as const;
const listsKey = (scope: Scope) => [...subscriptionsKey(scope), "list"] as const;

export const subscriptionsQuery = (scope: Scope, search: SubscriptionSearch, text = "") =>
  queryOptions({
    // The query string instead of the search, whose field names would be 0.4 KB of a page's 60 KB.
    queryKey: [...listsKey(scope), subscriptionQueryString(search), text] as const,
    queryFn: readRoute<SubscriptionList>(
      scope,
      `/subscriptions${subscriptionQueryString(search)}`,
      searchTextHeader(text),
    ),
    refetchInterval: refetchList,
  });

export const countsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...subscriptionsKey(scope), "counts"] as const,
    queryFn: readRoute<{ counts: SubscriptionCounts | null }>(scope, "/subscriptions/counts"),
    refetchInterval: refetchEvery(MINUTE),
  });

/** The record alone. */
export const subscriptionQuery = (scope: Scope, subscription_id: string) =>
  queryOptions({
    queryKey: [...subscriptionsKey(scope), "record", subscription_id] as const,
    queryFn: ({ signal }) =>
      fetchJson<SubscriptionRecord>(recordPath(scope, subscription_id), signal),
  });

const recordPath = (scope: Scope, subscription_id: string) =>
  apiPath(scope, `/subscriptions/${encodeURIComponent(subscription_id)}`);

/** The record for its page. The first answer brings the page's other queries too. */
export function openedSubscriptionQuery(scope: Scope, subscription_id: string) {
  const { queryKey } = subscriptionQuery(scope, subscription_id);
  const path = recordPath(scope, subscription_id);
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }) => {
      if (client.getQueryData(queryKey)) return fetchJson<SubscriptionRecord>(path, signal);
      const { record, beside } = await fetchJson<OpenedRecord>(`${path}?${OPENED}`, signal);
      for (const [key, data] of fromPropJson(beside) as SentQuery[])
        client.setQueryData(key, data);
      return record;
    },
  });
}

/**
 * The subscription from a list that this tab has loaded, shown while the record itself is being
 * read.
 */
export function findListedSubscription(
  client: QueryClient,
  scope: Scope,
  subscription_id: string,
): ListedSubscription | undefined {
  const rows = listedSubscriptions(client, scope);
  return rows.find((item) => item.subscription_id === subscription_id);
}

/** All subscriptions in the lists that this tab has loaded; some can be repeated. */
export function listedSubscriptions(client: QueryClient, scope: Scope): ListedSubscription[] {
  const pages = client.getQueriesData<SubscriptionList>({ queryKey: listsKey(scope) });
  return pages.flatMap(([, page]) => page?.results ?? []);
}

export const recordsQuery = (scope: Scope, text: string) =>
  queryOptions({
    queryKey: [scope, "search", "records", text] as const,
    queryFn: readRoute<FoundRecords>(scope, "/search", searchTextHeader(text)),
    placeholderData: keepPreviousData,
  });

export const facetsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "search", "facets"] as const,
    queryFn: readRoute<Facet[]>(scope, "/subscriptions/facets"),
  });

/** The seller's tags with the number of customers of each. */
export const tagsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "customers", "tags"] as const,
    queryFn: readRoute<CountedTag[]>(scope, "/customers/tags"),
  });

/**
 * The cache key of a reused subscription as it was before; the form stores it for the next page.
 */
export const reusedSubscriptionKey = (scope: Scope, subscription_id: string) =>
  [...subscriptionsKey(scope), "reused", subscription_id] as const;

export const columnsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "columns", "subscriptions"] as const,
    queryFn: readRoute<SubscriptionColumn[]>(scope, "/subscriptions/columns"),
    // Only this user changes the columns, and each change updates the cache.
    staleTime: Infinity,
  });

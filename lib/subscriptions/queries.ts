import { queryOptions, type QueryClient } from "@tanstack/react-query";
import type { Subscription, SubscriptionPage } from "#contract/subscriptions.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { Debt } from "#lib/money/debt.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import type { Reached } from "./reached/rules.ts";
import { subscriptionQueryString, type SubscriptionSearch } from "./search.ts";

const MINUTE = 60_000;

export interface SubscriptionRecord {
  subscription: Subscription;
  /** Null where nothing is left to pay, and while this seller's checkout address is not known yet. */
  checkout_url: string | null;
  reached: Reached;
  /** What was kept of a debt; null where nothing is, or while it is due. */
  debt: Debt | null;
}

/** How many there are of each; they add up to all. */
export interface SubscriptionCounts {
  all: number;
  /** Paid one-time purchases; they are in no status. */
  one_time: number;
  /** By the service's own word. */
  statuses: Record<string, number>;
}

/** What a change answers with: the record before and, if it could be read again, after. */
export interface ChangedSubscription {
  before: Subscription;
  record: SubscriptionRecord | null;
}

/** What create answers with. */
export interface CreatedRecord {
  subscription_id: string;
  /** Whether one that waited for payment was taken; null when nobody can say. */
  is_reused: boolean | null;
  /** How that one was before, where it is known. */
  before: Subscription | null;
}

export const subscriptionsKey = (scope: Scope) => [scope, "subscriptions"] as const;
const listsKey = (scope: Scope) => [...subscriptionsKey(scope), "list"] as const;

export const subscriptionsQuery = (scope: Scope, search: SubscriptionSearch) =>
  queryOptions({
    queryKey: [...listsKey(scope), search] as const,
    queryFn: ({ signal }) =>
      fetchJson<SubscriptionPage>(
        apiPath(scope, `/subscriptions${subscriptionQueryString(search)}`),
        signal,
      ),
  });

export const countsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...subscriptionsKey(scope), "counts"] as const,
    queryFn: ({ signal }) =>
      fetchJson<{ counts: SubscriptionCounts | null }>(
        apiPath(scope, "/subscriptions/counts"),
        signal,
      ),
    refetchInterval: refetchEvery(MINUTE),
  });

export const subscriptionQuery = (scope: Scope, subscription_id: string) =>
  queryOptions({
    queryKey: [...subscriptionsKey(scope), "record", subscription_id] as const,
    queryFn: ({ signal }) =>
      fetchJson<SubscriptionRecord>(
        apiPath(scope, `/subscriptions/${encodeURIComponent(subscription_id)}`),
        signal,
      ),
  });

/** The row of a list that is already here, to show while the record itself is on its way. */
export function findListedSubscription(
  client: QueryClient,
  scope: Scope,
  subscription_id: string,
): Subscription | undefined {
  const rows = listedSubscriptions(client, scope);
  return rows.find((item) => item.subscription_id === subscription_id);
}

/** All that are here already, some of them more than once. */
export function listedSubscriptions(client: QueryClient, scope: Scope): Subscription[] {
  const pages = client.getQueriesData<SubscriptionPage>({ queryKey: listsKey(scope) });
  return pages.flatMap(([, page]) => page?.results ?? []);
}

/** How a reused one was before: left by the form for the page that follows it. */
export const reusedKey = (scope: Scope, subscription_id: string) =>
  [...subscriptionsKey(scope), "reused", subscription_id] as const;

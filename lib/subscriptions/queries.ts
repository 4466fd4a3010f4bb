import { queryOptions, type QueryClient } from "@tanstack/react-query";
import type { Subscription, SubscriptionPage } from "#contract/subscriptions.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import { subscriptionQueryString, type SubscriptionSearch } from "./search.ts";

export interface SubscriptionRecord {
  subscription: Subscription;
  /** Null while this seller's checkout address is not known yet. */
  checkout_url: string | null;
}

export const SUBSCRIPTIONS_KEY = ["subscriptions"] as const;
const LISTS_KEY = [...SUBSCRIPTIONS_KEY, "list"] as const;

export const subscriptionsQuery = (search: SubscriptionSearch) =>
  queryOptions({
    queryKey: [...LISTS_KEY, search] as const,
    queryFn: ({ signal }) =>
      fetchJson<SubscriptionPage>(
        `/api/subscriptions${subscriptionQueryString(search)}`,
        signal,
      ),
  });

export const subscriptionQuery = (subscription_id: string) =>
  queryOptions({
    queryKey: [...SUBSCRIPTIONS_KEY, "record", subscription_id] as const,
    queryFn: ({ signal }) =>
      fetchJson<SubscriptionRecord>(
        `/api/subscriptions/${encodeURIComponent(subscription_id)}`,
        signal,
      ),
  });

/** The row of a list that is already here, to show while the record itself is on its way. */
export function findListedSubscription(
  client: QueryClient,
  subscription_id: string,
): Subscription | undefined {
  const pages = client.getQueriesData<SubscriptionPage>({ queryKey: LISTS_KEY });
  for (const [, page] of pages) {
    const row = page?.results.find((item) => item.subscription_id === subscription_id);
    if (row) return row;
  }
  return undefined;
}

import type { Query, QueryClient, QueryFunction } from "@tanstack/react-query";
import type { Subscription } from "#contract/subscriptions.ts";
import { hold, markChanged } from "#components/context/live-state.ts";
import type { Scope } from "#lib/scope.ts";
import { subscriptionQuery } from "#lib/subscriptions/queries.ts";

interface Rows {
  results: Subscription[];
}

/** At most this many rows that left a list are read one by one. */
const MOST_READ = 10;

/** Whether the query is a page of the subscription list. */
export const isListQuery = (queryKey: readonly unknown[]): boolean => queryKey[2] === "list";

/** Refreshes visible list pages in place; rows keep their position until the user asks for the new order. */
export async function refreshLists(client: QueryClient, scope: Scope): Promise<void> {
  const all = client
    .getQueryCache()
    .findAll({ queryKey: [scope, "subscriptions"] })
    .filter(({ queryKey }) => isListQuery(queryKey));
  await Promise.allSettled(
    all.map((query) =>
      query.isActive() && query.state.status === "success" && isRows(query.state.data)
        ? followList(client, scope, query)
        : client.invalidateQueries({ queryKey: query.queryKey, exact: true }),
    ),
  );
}

async function followList(client: QueryClient, scope: Scope, query: Query) {
  const fresh = await readPage(client, query);
  const shown: unknown = query.state.data;
  if (!isRows(fresh) || !isRows(shown)) {
    client.setQueryData(query.queryKey, fresh);
    return;
  }
  const results = await inPlace(client, scope, shown.results, fresh.results);
  const before = new Map(shown.results.map((row) => [row.subscription_id, row]));
  const changed = results.filter((row) => !isSame(before.get(row.subscription_id), row));
  client.setQueryData(query.queryKey, { ...fresh, results });
  markChanged(changed.map((row) => row.subscription_id));
  const isInOrder =
    results.length === fresh.results.length &&
    results.every((row, at) => row.subscription_id === fresh.results[at]?.subscription_id);
  const news = fresh.results.filter((row) => !before.has(row.subscription_id));
  hold(
    query.queryHash,
    isInOrder
      ? null
      : {
          count: news.length,
          show: () => {
            hold(query.queryHash, null);
            client.setQueryData(query.queryKey, fresh);
            markChanged(news.map((row) => row.subscription_id));
            void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
          },
        },
  );
}

/** Reads under a separate key, so that the list does not show the result at once. */
function readPage(client: QueryClient, query: Query): Promise<unknown> {
  const { queryFn } = query.options as { queryFn?: QueryFunction };
  if (!queryFn) return Promise.resolve(query.state.data);
  return client.fetchQuery({
    queryKey: [...query.queryKey, "fresh"],
    queryFn,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

/** The shown rows with their current values. */
async function inPlace(
  client: QueryClient,
  scope: Scope,
  shown: readonly Subscription[],
  fresh: readonly Subscription[],
): Promise<Subscription[]> {
  const now = new Map(fresh.map((row) => [row.subscription_id, row]));
  const left = shown.filter((row) => !now.has(row.subscription_id)).slice(0, MOST_READ);
  const read = await Promise.allSettled(
    left.map(({ subscription_id }) =>
      client.fetchQuery({ ...subscriptionQuery(scope, subscription_id), staleTime: 1_000 }),
    ),
  );
  for (const one of read)
    if (one.status === "fulfilled")
      now.set(one.value.subscription.subscription_id, one.value.subscription);
  return shown.map((row) => now.get(row.subscription_id) ?? row);
}

const isRows = (data: unknown): data is Rows =>
  typeof data === "object" && data !== null && "results" in data && Array.isArray(data.results);

/** Compares visible fields only; lists and single reads differ in others. */
const isSame = (before: Subscription | undefined, now: Subscription): boolean =>
  before?.status === now.status &&
  before.next_billing_cycle === now.next_billing_cycle &&
  before.product.price === now.product.price &&
  before.client.full_name === now.client.full_name;

import type { Query, QueryClient, QueryFunction } from "@tanstack/react-query";
import type { Scope } from "#lib/scope.ts";
import type { LiveEvent } from "#lib/live/queries.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { setPendingUpdates, markRecordsChanged } from "#components/context/live-state.ts";
import { subscriptionQuery } from "#lib/subscriptions/queries.ts";

/** Milliseconds within which events are handled together. */
const GATHER_MS = 150;
/** Minimum milliseconds between two refreshes. */
const SHORTEST_MS = 1_000;

/**
 * The queries that an event affects in addition to those of subscriptions, by the second part of
 * their key.
 */
const BESIDE: Record<LiveEvent["kind"], readonly string[]> = {
  delivery: ["notifications", "receiver", "payments", "deliveries"],
  change: ["notifications", "payments"],
  write: ["notifications", "collection"],
  refresh: ["notifications", "receiver", "payments"],
  collection: ["collection", "notifications"],
  proofs: ["payments", "notifications"],
  notifications: ["notifications"],
};

/** The kinds of events that change subscriptions. */
const OF_RECORDS = new Set<LiveEvent["kind"]>(["delivery", "change", "refresh"]);

/** Nouns of the audit log whose changes affect subscriptions. */
const OF_SUBSCRIPTIONS = new Set(["subscription", "bulk", "sandbox", "collection"]);

interface Touched {
  /** Ids of the changed subscriptions; null if any may have changed. */
  ids: Set<string> | null;
  areRecords: boolean;
  nouns: Set<string>;
}

const nothing = (): Touched => ({ ids: new Set(), areRecords: false, nouns: new Set() });

/** Refetches only the queries that an event affects. */
export function createRefresher(client: QueryClient, scope: Scope) {
  let touched = nothing();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReading = false;
  let isStopped = false;

  async function read() {
    timer = undefined;
    const { ids, areRecords, nouns } = touched;
    touched = nothing();
    // The collection's key is below that of subscriptions, so it is refreshed with them.
    if (areRecords) nouns.delete("collection");
    isReading = true;
    const begun = Date.now();
    await Promise.allSettled([
      ...[...nouns].map((noun) =>
        client.invalidateQueries({
          queryKey: noun === "collection" ? [scope, "subscriptions", noun] : [scope, noun],
        }),
      ),
      ...(areRecords ? [readRecords(ids)] : []),
    ]);
    isReading = false;
    if (touched.areRecords || touched.nouns.size > 0)
      later(Math.max(GATHER_MS, SHORTEST_MS - (Date.now() - begun)));
  }

  function readRecords(ids: ReadonlySet<string> | null) {
    const key = [scope, "subscriptions"];
    const isTouched = ({ queryKey }: { queryKey: readonly unknown[] }) => {
      const [, , part, id] = queryKey;
      if (isListQuery(queryKey)) return false;
      if (part !== "record" && part !== "history") return true;
      return ids === null || ids.has(String(id));
    };
    // Charts are expensive to read: they are only marked stale, and refetched when next shown.
    const isDear = ({ queryKey }: { queryKey: readonly unknown[] }) =>
      queryKey[2] === "reports";
    return Promise.allSettled([
      client.invalidateQueries({
        queryKey: key,
        predicate: (query) => isTouched(query) && !isDear(query),
      }),
      client.invalidateQueries({ queryKey: key, predicate: isDear, refetchType: "none" }),
      refreshLists(client, scope),
    ]);
  }

  function later(pause: number) {
    if (isStopped || timer !== undefined || isReading) return;
    timer = setTimeout(() => void read(), pause);
  }

  return {
    follow: ({ kind, ids, noun }: LiveEvent) => {
      for (const beside of BESIDE[kind]) touched.nouns.add(beside);
      const isOfRecords =
        kind === "write" ? OF_SUBSCRIPTIONS.has(noun ?? "") : OF_RECORDS.has(kind);
      if (isOfRecords) {
        touched.areRecords = true;
        const known = touched.ids;
        touched.ids = ids === null || known === null ? null : new Set([...known, ...ids]);
      } else if (kind === "write" && noun !== null) touched.nouns.add(`${noun}s`);
      later(GATHER_MS);
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

interface Rows {
  results: Subscription[];
}

/** The most rows that left a list and are read one by one. */
const MOST_READ = 10;

/** Whether the query is a page of the subscription list. */
const isListQuery = (queryKey: readonly unknown[]): boolean => queryKey[2] === "list";

/** Refreshes visible list pages in place; rows keep their position until the user asks for the new order. */
async function refreshLists(client: QueryClient, scope: Scope): Promise<void> {
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
  markRecordsChanged(changed.map((row) => row.subscription_id));
  const isInOrder =
    results.length === fresh.results.length &&
    results.every((row, at) => row.subscription_id === fresh.results[at]?.subscription_id);
  const news = fresh.results.filter((row) => !before.has(row.subscription_id));
  setPendingUpdates(
    query.queryHash,
    isInOrder
      ? null
      : {
          count: news.length,
          show: () => {
            setPendingUpdates(query.queryHash, null);
            client.setQueryData(query.queryKey, fresh);
            markRecordsChanged(news.map((row) => row.subscription_id));
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

/** Whether the visible fields are equal; lists and single reads differ in other fields. */
const isSame = (before: Subscription | undefined, now: Subscription): boolean =>
  before?.status === now.status &&
  before.next_billing_cycle === now.next_billing_cycle &&
  before.product.price === now.product.price &&
  before.client.full_name === now.client.full_name;

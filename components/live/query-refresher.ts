import type { QueryClient } from "@tanstack/react-query";
import type { Scope } from "#lib/scope.ts";
import type { LiveEvent } from "#lib/live/queries.ts";
import { refreshLists, isListQuery } from "./refresh-lists.ts";

/** Events within this time are handled together. */
const GATHER_MS = 150;
/** The shortest time between two refreshes. */
const SHORTEST_MS = 1_000;

/** Queries that an event affects beside those of subscriptions, by the second part of their key. */
const BESIDE: Record<LiveEvent["kind"], readonly string[]> = {
  delivery: ["notifications", "receiver", "payments", "deliveries"],
  change: ["notifications", "payments"],
  write: ["notifications", "collection"],
  refresh: ["notifications", "receiver", "payments"],
  collection: ["collection", "notifications"],
  proofs: ["payments", "notifications"],
  notifications: ["notifications"],
};

/** Events that change subscriptions. */
const OF_RECORDS = new Set<LiveEvent["kind"]>(["delivery", "change", "refresh"]);

/** Nouns of the audit log whose changes affect subscriptions. */
const OF_SUBSCRIPTIONS = new Set(["subscription", "bulk", "sandbox", "collection"]);

interface Touched {
  /** Null for any subscription. */
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
    // Charts are expensive: they are only marked stale and refetched when next shown.
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

import "server-only";
import {
  dehydrate,
  QueryClient,
  type DehydratedState,
  type QueryKey,
} from "@tanstack/react-query";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { cache } from "react";
import { AppError, type Failure } from "#lib/failure.ts";

export interface Prefetched {
  state: DehydratedState;
  /** Why there is no data; the page shows it instead of failing. */
  failure: Failure | null;
}

/** Reads on the server what the browser's query of the same key finds in its cache. */
export async function prefetch(
  { queryKey }: Pick<Read, "queryKey">,
  queryFn: Read["queryFn"],
): Promise<Prefetched> {
  const client = new QueryClient();
  const failure = await read(client, { queryKey, queryFn });
  return { state: dehydrate(client), failure };
}

const LONGEST_MS = 1_000;

/**
 * Prefetches several reads at once. Reads that take longer than a second are left to the browser, so
 * that they do not delay the page.
 */
export async function prefetchAll<Name extends string>(
  reads: Record<Name, Read>,
): Promise<{ state: DehydratedState; failures: Record<Name, Failure | null> }> {
  const client = new QueryClient();
  const failures = Object.fromEntries(Object.keys(reads).map((name) => [name, null])) as Record<
    Name,
    Failure | null
  >;
  const all = Object.entries<Read>(reads).map(async ([name, one]) => {
    failures[name as Name] = await read(client, one);
  });
  await Promise.race([Promise.all(all), delay(LONGEST_MS)]);
  return { state: dehydrate(client), failures: { ...failures } };
}

interface Read {
  queryKey: QueryKey;
  queryFn: () => Promise<unknown>;
}

/** Per request. */
const readsUnderWay = cache(() => new Set<Promise<unknown>>());

/**
 * Waits for the page's reads, so that the first paint contains them: React holds back later parts of
 * a stream for 300 ms.
 * @param timeout milliseconds
 */
export async function awaitInitialReads(timeout: number): Promise<void> {
  const all = Promise.allSettled(readsUnderWay());
  await Promise.race([all, delay(timeout, undefined, { ref: false })]);
  // The page must be rendered before the layout.
  await nextTurn();
}

function read(client: QueryClient, { queryKey, queryFn }: Read): Promise<Failure | null> {
  const reading = client.fetchQuery({ queryKey, queryFn, retry: false }).then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      return error.failure;
    },
  );
  readsUnderWay().add(reading);
  return reading;
}

/** Merges several prefetched states for one HydratedQueries. */
export function together(...read: Pick<Prefetched, "state">[]): DehydratedState {
  return { mutations: [], queries: read.flatMap(({ state }) => state.queries) };
}

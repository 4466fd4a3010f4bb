import "server-only";
import { QueryClient, type QueryKey } from "@tanstack/react-query";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { cache } from "react";
import { expectedFailure, type Failure } from "#lib/failure.ts";
import type { SentQuery } from "./client.ts";
import { sendOpening } from "#lib/trace.ts";
import { toPropJson } from "./fetch-json.ts";

interface Read {
  queryKey: QueryKey;
  queryFn: () => Promise<unknown>;
}

interface Prefetched {
  /** The queries as `SentQuery[]` by `toPropJson`, for HydratedQueries. */
  json: string;
  /** Why there is no data; the page shows it instead of failing. */
  failure: Failure | null;
}

/** Fills the browser's query cache on the server. */
export async function prefetch(
  { queryKey }: Pick<Read, "queryKey">,
  queryFn: Read["queryFn"],
): Promise<Prefetched> {
  const client = new QueryClient();
  const failure = await read(client, { queryKey, queryFn });
  return { json: toPropJson(queriesOf(client)), failure };
}

const LONGEST_MS = 1_000;

/**
 * Prefetches several reads at once.
 * @param reads those that take longer than a second are left to the browser
 * @param needed those that the page waits for
 */
export async function prefetchAll<Name extends string, Needed extends string = never>(
  reads: Record<Name, Read>,
  needed?: Record<Needed, Read>,
): Promise<{ json: string; failures: Record<Name | Needed, Failure | null> }> {
  const client = new QueryClient();
  const failures = Object.fromEntries(
    Object.keys({ ...reads, ...needed }).map((name) => [name, null]),
  ) as Record<Name | Needed, Failure | null>;
  const readAll = (some: Record<string, Read>) =>
    Promise.all(
      Object.entries(some).map(async ([name, one]) => {
        failures[name as Name | Needed] = await read(client, one);
      }),
    );
  await Promise.all([
    Promise.race([readAll(reads), delay(LONGEST_MS)]),
    needed && readAll(needed),
  ]);
  return { json: toPropJson(queriesOf(client)), failures: { ...failures } };
}

const readsUnderWay = cache(() => new Set<Promise<unknown>>());

/**
 * Waits for the page's reads, at most `timeout` milliseconds, so that the first paint contains them:
 * React holds back later parts of a stream for 300 ms. A page that reads has passed its guards, so its status is
 * known, and the start of its document is sent.
 * @param timeout in milliseconds
 * @param language of the page
 */
export async function awaitInitialReads(timeout: number, language: string): Promise<void> {
  if (readsUnderWay().size > 0) sendOpening(language);
  const all = Promise.allSettled(readsUnderWay());
  await Promise.race([all, delay(timeout, undefined, { ref: false })]);
  // React must render the page before the layout.
  await nextTurn();
}

const queriesOf = (client: QueryClient): SentQuery[] =>
  client
    .getQueryCache()
    .findAll({ predicate: ({ state }) => state.status === "success" })
    .map(({ queryKey, state }) => [queryKey, state.data, state.dataUpdatedAt]);

function read(client: QueryClient, { queryKey, queryFn }: Read): Promise<Failure | null> {
  const reading = client
    .fetchQuery({ queryKey, queryFn, retry: false })
    .then(() => null, expectedFailure);
  const reads = readsUnderWay();
  reads.add(reading);
  return reading.finally(() => reads.delete(reading));
}

import {
  hashKey,
  type DehydratedState,
  type Query,
  QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import { retryDelayOf, type Failure, failureOf, isTemporaryFailure } from "#lib/failure.ts";

const FRESH_MS = 30_000;
const REPEATS = 2;

/**
 * A `refetchInterval`: retries soon after a temporary failure, and not at all after any other.
 * @param pause milliseconds between reads without a failure; in a hidden tab, nothing is read
 */
export const refetchEvery =
  (pause: number | false) =>
  ({ state: { error } }: Pick<Query, "state">): number | false =>
    error ? retryDelayOf(failureOf(error)) : pause;

let isFollowed = false;

/** Sets whether the live stream reports changes; then pages need not poll. */
export const setLiveUpdates = (is: boolean): void => void (isFollowed = is);

/** A `refetchInterval` for data that the live stream reports. */
export const pollUnlessLive = (pause: number): number | false => (isFollowed ? false : pause);

/** Creates the query cache; queries retry temporary failures. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < REPEATS && isWorthRepeating(failureOf(error)),
        retryDelay: (failures) => 400 * 3 ** failures,
        refetchInterval: refetchEvery(false),
        refetchOnReconnect: true,
        // Sends requests even if the browser reports that it is offline, so that a failure is shown
        // instead of a wait.
        networkMode: "always",
      },
    },
  });
}

const isWorthRepeating = (failure: Failure) =>
  isTemporaryFailure(failure) && failure.kind !== "rate_limited";

/**
 * A query that the server has read: its key, its data, and when it was read, in milliseconds since
 * 1970.
 */
export type SentQuery = [queryKey: QueryKey, data: unknown, dataUpdatedAt: number];

/**
 * The state in which TanStack Query's `dehydrate` would send these queries; most of it is the same in
 * each.
 */
export const dehydratedState = (sent: SentQuery[]): DehydratedState => ({
  mutations: [],
  queries: sent.map(([queryKey, data, dataUpdatedAt]) => ({
    queryKey,
    queryHash: hashKey(queryKey),
    dehydratedAt: dataUpdatedAt,
    state: {
      data,
      dataUpdatedAt,
      dataUpdateCount: 1,
      error: null,
      errorUpdateCount: 0,
      errorUpdatedAt: 0,
      fetchFailureCount: 0,
      fetchFailureReason: null,
      fetchMeta: null,
      isInvalidated: false,
      status: "success",
      fetchStatus: "idle",
    },
  })),
});

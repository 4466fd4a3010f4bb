import { QueryClient, type Query } from "@tanstack/react-query";
import { askAgainAfter, failureOf, isPassing, type Failure } from "#lib/failure.ts";

const FRESH_MS = 30_000;
const REPEATS = 2;

/**
 * A `refetchInterval`: retries soon after a temporary failure, not at all after another.
 * @param pause milliseconds without a failure; TanStack Query also waits this long in a hidden tab
 */
export const refetchEvery =
  (pause: number | false) =>
  ({ state: { error } }: Pick<Query, "state">): number | false =>
    error ? askAgainAfter(failureOf(error)) : pause;

let isFollowed = false;

/** Whether the live stream reports changes, so that polling is not needed. */
export const setFollowed = (is: boolean): void => void (isFollowed = is);

/** A `refetchInterval` for data that the live stream reports: no polling while it is connected. */
export const unlessFollowed = (pause: number): number | false => (isFollowed ? false : pause);

/** Queries retry temporary failures. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < REPEATS && isWorthRepeating(failureOf(error)),
        retryDelay: (failures) => 400 * 3 ** failures,
        refetchInterval: refetchEvery(false),
        refetchOnReconnect: true,
        // So that an offline browser shows a failure instead of waiting.
        networkMode: "always",
      },
    },
  });
}

/** A rate-limited request is not retried at once. */
const isWorthRepeating = (failure: Failure) =>
  isPassing(failure) && failure.kind !== "rate_limited";

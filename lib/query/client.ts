import { type Query, QueryClient } from "@tanstack/react-query";
import { retryDelayOf, type Failure, failureOf, isTemporaryFailure } from "#lib/failure.ts";

const FRESH_MS = 30_000;
const REPEATS = 2;

/**
 * A `refetchInterval`: retries soon after a temporary failure, not at all after another.
 * @param pause milliseconds without a failure; TanStack Query also waits this long in a hidden tab
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
        // Sends requests even if the browser reports to be offline, so that a failure is shown
        // instead of a wait.
        networkMode: "always",
      },
    },
  });
}

const isWorthRepeating = (failure: Failure) =>
  isTemporaryFailure(failure) && failure.kind !== "rate_limited";

/**
 * JSON as a prop of a client component, with " and ' swapped: the prop is sent within quotation marks, where
 * each " takes two characters, and JSON has several for each value.
 */
export const toPropJson = (value: unknown): string => swapQuotes(JSON.stringify(value));

export const fromPropJson = (json: string): unknown => JSON.parse(swapQuotes(json));

const swapQuotes = (text: string) =>
  text.replaceAll(/["']/g, (mark) => (mark === "'" ? '"' : "'"));

import { QueryClient, type Query } from "@tanstack/react-query";
import { askAgainAfter, failureOf, isPassing, type Failure } from "#lib/failure.ts";

const FRESH_MS = 30_000;
const REPEATS = 2;

/**
 * For `refetchInterval`: soon again after a failure that passes by itself, not at all after another.
 * @param pause milliseconds while all is well; TanStack Query waits with it in a hidden tab
 */
export const refetchEvery =
  (pause: number | false) =>
  ({ state: { error } }: Pick<Query, "state">): number | false =>
    error ? askAgainAfter(failureOf(error)) : pause;

let isFollowed = false;

/** Whether what changes is told at once, so that nobody has to look for it. */
export const setFollowed = (is: boolean): void => void (isFollowed = is);

/** For `refetchInterval` of what the stream tells of: no look of its own while that is there. */
export const unlessFollowed = (pause: number): number | false => (isFollowed ? false : pause);

/** Reads repeat what passes by itself, and keep asking while the service is away. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < REPEATS && isWorthRepeating(failureOf(error)),
        retryDelay: (failures) => 400 * 3 ** failures,
        refetchInterval: refetchEvery(false),
        refetchOnReconnect: true,
        // An offline browser should say so, not wait in silence.
        networkMode: "always",
      },
    },
  });
}

/** Whoever asks to slow down is not asked again at once. */
const isWorthRepeating = (failure: Failure) =>
  isPassing(failure) && failure.kind !== "rate_limited";

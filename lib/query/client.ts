import { QueryClient } from "@tanstack/react-query";
import { failureOf, isPassing } from "#lib/billing/errors.ts";

const FRESH_MS = 30_000;
const ASK_AGAIN_MS = 5_000;
const REPEATS = 2;

/** Reads repeat what passes by itself, and keep asking while the service is away. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < REPEATS && isPassing(failureOf(error)),
        retryDelay: (failures) => 400 * 3 ** failures,
        refetchInterval: ({ state }) =>
          state.error && isPassing(failureOf(state.error)) ? ASK_AGAIN_MS : false,
        refetchOnReconnect: true,
        // An offline browser should say so, not wait in silence.
        networkMode: "always",
      },
    },
  });
}

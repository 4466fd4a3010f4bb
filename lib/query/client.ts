import { type Query, QueryClient } from "@tanstack/react-query";
import {
  AppError,
  retryDelayOf,
  type Failure,
  failureOf,
  isFailure,
  isPassing,
} from "#lib/failure.ts";

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
export const setFollowed = (is: boolean): void => void (isFollowed = is);

/** A `refetchInterval` for data that the live stream reports. */
export const unlessFollowed = (pause: number): number | false => (isFollowed ? false : pause);

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
  isPassing(failure) && failure.kind !== "rate_limited";

/**
 * Reads from the dashboard's own route.
 * @param headers for values that must not be in a URL, because URLs are logged
 * @throws AppError
 */
export async function fetchJson<Value>(
  path: string,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<Value> {
  const response = await request(path, signal, headers);
  const body: unknown = await response.json().catch(() => null);
  // The response comes from the same program as this script, so its type matches.
  if (response.ok && body !== null) return body as Value;
  throw refusalOf(response, body);
}

interface FetchedFile {
  name: string;
  content: Blob;
}

/** @throws AppError, also if the download is cut off */
export async function fetchFile(
  path: string,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<FetchedFile> {
  const response = await request(path, signal, headers);
  if (!response.ok) throw refusalOf(response, await response.json().catch(() => null));
  const said = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "");
  try {
    return { name: said?.[1] ?? "duebook", content: await response.blob() };
  } catch (error) {
    if (signal.aborted) throw error;
    throw new AppError({ kind: "unanswered" });
  }
}

function refusalOf(response: Response, body: unknown): AppError {
  if (isFailure(body)) return new AppError(body);
  // The answer comes from a proxy in front of Duebook, for example during a restart.
  return new AppError({ kind: response.status >= 500 ? "unanswered" : "unexpected" });
}

async function request(
  path: string,
  signal: AbortSignal,
  headers: Record<string, string>,
): Promise<Response> {
  try {
    return await fetch(path, { signal, headers: { accept: "application/json", ...headers } });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new AppError({ kind: "unanswered" });
  }
}

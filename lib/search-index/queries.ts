import { queryOptions } from "@tanstack/react-query";
import type { Scope } from "#lib/scope.ts";
import type { Failure } from "#lib/failure.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { readRoute } from "#lib/query/fetch-json.ts";
import type { JobPause } from "#lib/db/lease.ts";
import type { Comparisons } from "./compare/differences.ts";

/** How much of a list is in the index. */
export interface ListProgress {
  list: "products" | "customers" | "subscriptions";
  /**
   * The rows read by the running full sync, or by the last one; while the feed is followed, the
   * rows in the index.
   */
  read: number;
  /** The number of rows in the list; null if unknown. */
  total: number | null;
  is_syncing: boolean;
}

export interface IndexSettings {
  state: "waiting" | "filling" | "ready";
  /** The time of the last incremental sync or answer of the feed, ISO 8601; null before the first. */
  read_at: string | null;
  lists: ListProgress[];
  /** Why the sync waits; null if it does not. */
  failure: Failure | null;
  /** The receiver's URL; null while no key is connected. */
  hint_url: string | null;
  /** Whether the service's feed reports every change. */
  is_followed: boolean;
}

const MOVING_MS = 1_500;
const IDLE_MS = 15_000;

export const indexQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "copy"] as const,
    queryFn: readRoute<IndexSettings>(scope, "/connection/copy"),
    refetchInterval: (query) => refetchEvery(pauseOf(query.state.data))(query),
  });

function pauseOf(data: IndexSettings | undefined): number | false {
  const isMoving = data?.state !== "ready" || data.lists.some((one) => one.is_syncing);
  return isMoving ? MOVING_MS : IDLE_MS;
}

export type { JobPause };

export interface CompareStep {
  /** Why the next step has to wait; null if it can follow at once. */
  pause: JobPause | null;
  comparisons: Comparisons;
}

export const comparisonsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "comparisons"] as const,
    queryFn: readRoute<Comparisons>(scope, "/connection/compare"),
  });

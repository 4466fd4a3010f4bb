import { queryOptions } from "@tanstack/react-query";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { Failure } from "#lib/failure.ts";
import { fetchJson, refetchEvery } from "#lib/query/client.ts";
import type { Pause } from "#lib/db/lease.ts";
import type {
  CountLine,
  FieldDifference,
  Reach,
  RecordState,
} from "#lib/search-index/compare/differences.ts";

/** How much of a list is in the index. */
export interface ListProgress {
  list: "products" | "customers" | "subscriptions";
  /** Rows read by the full sync under way, or by the last one. */
  read: number;
  /** Null if unknown. */
  total: number | null;
  is_syncing: boolean;
}

export interface IndexSettings {
  state: "waiting" | "filling" | "ready";
  /** ISO 8601; the last incremental sync. */
  read_at: string | null;
  lists: ListProgress[];
  /** Why the sync waits. */
  failure: Failure | null;
  /** URL for webhooks; null while no key is connected. */
  hint_url: string | null;
}

const MOVING_MS = 1_500;
const RESTING_MS = 15_000;

export const indexQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "copy"] as const,
    queryFn: ({ signal }) =>
      fetchJson<IndexSettings>(apiPath(scope, "/connection/copy"), signal),
    refetchInterval: (query) => refetchEvery(pauseOf(query.state.data))(query),
  });

function pauseOf(data: IndexSettings | undefined): number | false {
  const isMoving = data?.state !== "ready" || data.lists.some((one) => one.is_syncing);
  return isMoving ? MOVING_MS : RESTING_MS;
}

export type { Pause };

/** The names as the table keeps them: `walking` scans the pages of the list. */
export type ComparePhase = "counting" | "walking" | "reading";

export interface DifferingRecord {
  subscription_id: string;
  state: Exclude<RecordState, "waiting" | "equal" | "unknown">;
  /** The buyer's name in the index; null where the index lacks the record. */
  buyer: string | null;
  fields: FieldDifference[];
}

/** The counts; absent until they are taken. */
export interface CompareReport {
  counts?: CountLine[];
  /** One-time purchases in the index. */
  one_time?: number;
  /** ISO; how fresh the index was when it was counted. */
  as_of?: string | null;
}

export interface Comparison {
  id: string;
  reach: Reach;
  phase: ComparePhase;
  started_by: string | null;
  /** ISO */
  started_at: string;
  ended_at: string | null;
  /** Another page has a step under way. */
  is_busy: boolean;
  /** Records compared, and records that wait to be read. */
  compared: number;
  waiting: number;
  /** Records to compare in all; null if unknown. */
  expected: number | null;
  failure: Failure | null;
  report: CompareReport;
  /** The first records that differ or could not be compared. */
  differences: DifferingRecord[];
  /** The numbers of all of them. */
  by_state: Partial<Record<DifferingRecord["state"], number>>;
}

export interface Comparisons {
  /** The comparison under way; null if there is none. */
  open: Comparison | null;
  /** The last finished one. */
  last: Comparison | null;
}

export interface CompareStep {
  /** Why the next step has to wait; null if it can follow at once. */
  pause: Pause | null;
  comparisons: Comparisons;
}

export const comparisonsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "comparisons"] as const,
    queryFn: ({ signal }) =>
      fetchJson<Comparisons>(apiPath(scope, "/connection/compare"), signal),
  });

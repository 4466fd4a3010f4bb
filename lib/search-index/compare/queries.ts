import { queryOptions } from "@tanstack/react-query";
import type { Pause } from "#lib/db/lease.ts";
import type { Failure } from "#lib/failure.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { CountLine, FieldDifference, Reach, RecordState } from "./differences.ts";

export type { Pause };

/** The names as the table keeps them: `walking` scans the pages of the list. */
export type ComparePhase = "counting" | "walking" | "reading";

export interface DifferingRecord {
  subscription_id: string;
  state: Exclude<RecordState, "waiting" | "equal">;
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
  /** The number of differing records, and the first of them. */
  differences: { count: number; shown: DifferingRecord[] };
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

import { queryOptions } from "@tanstack/react-query";
import { apiPath, scopePath, type Scope } from "#lib/scope.ts";
import type { Pause } from "#lib/db/lease.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import { subscriptionsKey } from "../queries.ts";
import type { Operation } from "../rules.ts";
import type { ItemState } from "./rules.ts";

/** One subscription of a run; days are YYYY-MM-DD. */
export interface BulkItem {
  subscription_id: string;
  buyer: string;
  state: ItemState;
  status_before: string | null;
  day_before: string | null;
  target_day: string | null;
  status_after: string | null;
  day_after: string | null;
  message: string | null;
}

export interface BulkRun {
  id: string;
  operation: Operation;
  asked_day: string | null;
  asked_days: number | null;
  undo_of: string | null;
  /** As they are called today; null when the account is gone. */
  started_by: string | null;
  created_at: string;
  paused_at: string | null;
  closed_at: string | null;
}

export interface BulkRunView {
  /** Null when there is none of that id, or not any more. */
  run: BulkRun | null;
  items: BulkItem[];
  /** Somebody's window was at work on it a moment ago. */
  is_busy: boolean;
}

export interface BulkRunSummary extends BulkRun {
  items: number;
  /** How many wait or are not settled. */
  rest: number;
  is_busy: boolean;
}

/** What one step came to. */
export interface BulkStep {
  /** Null when there was none to take. */
  item: BulkItem | null;
  /** Null to go on at once; else what has to pass first, or what stops the run. */
  pause: Pause | null;
}

/** Below the subscriptions' keys, beside the lists. */
const bulkKey = (scope: Scope) => [...subscriptionsKey(scope), "bulk"] as const;

export const bulkRunsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...bulkKey(scope), "runs"] as const,
    queryFn: ({ signal }) =>
      fetchJson<BulkRunSummary[]>(apiPath(scope, "/subscriptions/bulk"), signal),
  });

export const bulkRunQuery = (scope: Scope, id: string) =>
  queryOptions({
    queryKey: [...bulkKey(scope), "run", id] as const,
    queryFn: ({ signal }) =>
      fetchJson<BulkRunView>(
        apiPath(scope, `/subscriptions/bulk/${encodeURIComponent(id)}`),
        signal,
      ),
  });

export const bulkRunPath = (scope: Scope, id: string) =>
  scopePath(scope, `/subscriptions/bulk/${encodeURIComponent(id)}`);

/** The outcome as a file. */
export const bulkFilePath = (scope: Scope, id: string) =>
  apiPath(scope, `/subscriptions/bulk/${encodeURIComponent(id)}/file`);

import { queryOptions } from "@tanstack/react-query";
import { apiPath, scopePath, type Scope } from "#lib/scope.ts";
import type { JobPause } from "#lib/db/lease.ts";
import { readRoute } from "#lib/query/fetch-json.ts";
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
  /** The current name of the user who started it; null if the account was deleted. */
  started_by: string | null;
  created_at: string;
  paused_at: string | null;
  closed_at: string | null;
}

export interface BulkRunView {
  /** The run; null if there is none with this id, or it expired. */
  run: BulkRun | null;
  items: BulkItem[];
  /** Whether a browser tab processed an item a moment ago. */
  is_busy: boolean;
}

export interface BulkRunSummary extends BulkRun {
  items: number;
  /** The number of items that wait, are being processed, or have an unknown outcome. */
  rest: number;
  is_busy: boolean;
}

export interface BulkStep {
  /** The processed item; null if none can be processed now, or another step took it over. */
  item: BulkItem | null;
  /** Why the run waits or stops; null if the next step can follow at once. */
  pause: JobPause | null;
}

/** The key begins with the subscriptions key, so that it is invalidated with the lists. */
const bulkKey = (scope: Scope) => [...subscriptionsKey(scope), "bulk"] as const;

export const bulkRunsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...bulkKey(scope), "runs"] as const,
    queryFn: readRoute<BulkRunSummary[]>(scope, "/subscriptions/bulk"),
  });

export const bulkRunQuery = (scope: Scope, id: string) =>
  queryOptions({
    queryKey: [...bulkKey(scope), "run", id] as const,
    queryFn: readRoute<BulkRunView>(scope, `/subscriptions/bulk/${encodeURIComponent(id)}`),
  });

export const bulkRunPath = (scope: Scope, id: string) =>
  scopePath(scope, `/subscriptions/bulk/${encodeURIComponent(id)}`);

export const bulkFilePath = (scope: Scope, id: string) =>
  apiPath(scope, `/subscriptions/bulk/${encodeURIComponent(id)}/file`);

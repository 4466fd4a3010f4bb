import { queryOptions } from "@tanstack/react-query";
import type { JobPause } from "#lib/db/lease.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import type { ExportFormat } from "#lib/list-answer.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import { subscriptionsKey } from "#lib/subscriptions/queries.ts";
import type { ImportRunSummary } from "./rules.ts";
import { IMPORTS } from "./search.ts";

/** The progress of an import's run, and of taking it back. */
export interface ImportProgress extends Pick<
  ImportRunSummary,
  "started_at" | "paused_at" | "closed_at" | "undo_started_at" | "counts" | "rest" | "is_busy"
> {
  /** The current name of who started it; null if the account was deleted. */
  started_by: string | null;
  /** Made subscriptions that begin with a payment by the buyer. */
  links: number;
  /** Whether unpaid subscriptions can be taken back; the service is not asked while the run goes on. */
  can_undo: boolean;
}

/** Whether a browser tab works on the rows that are left. */
export const isUnderWay = ({
  is_busy,
  rest,
  paused_at,
}: Pick<ImportProgress, "is_busy" | "rest" | "paused_at">): boolean =>
  is_busy && rest > 0 && paused_at === null;

/** The state of a run that this browser tab does not work on. */
export function runStateOf(
  run: Pick<ImportProgress, "rest" | "undo_started_at" | "closed_at" | "paused_at" | "is_busy">,
) {
  if (run.rest === 0) return run.undo_started_at === null ? "finished" : "undone";
  if (run.closed_at !== null) return "closed";
  if (run.paused_at !== null) return "paused";
  return run.is_busy ? "busy" : "stopped";
}

/** The number of rows in the run; once taking back has started, of rows that were made. */
export function runTotalOf({
  counts,
  undo_started_at,
}: Pick<ImportProgress, "counts" | "undo_started_at">): number {
  const made = counts.done + counts.undone;
  if (undo_started_at !== null) return made;
  return (
    made +
    counts.already +
    counts.waiting +
    counts.running +
    counts.unknown +
    counts.refused +
    counts.failed
  );
}

export interface ImportStep {
  progress: ImportProgress;
  /** Why the run waits or stops; null if the next step can follow at once. */
  pause: JobPause | null;
}

export const IMPORT_CHANGES = ["pause", "continue", "close", "retry", "undo"] as const;
export type ImportChange = (typeof IMPORT_CHANGES)[number];

const importApiPath = (scope: Scope, id: string, rest: string) =>
  apiPath(scope, `${IMPORTS}/${encodeURIComponent(id)}/${rest}`);

export const importProgressQuery = (scope: Scope, id: string) =>
  queryOptions({
    queryKey: [...subscriptionsKey(scope), "import", id, "progress"] as const,
    queryFn: ({ signal }) =>
      fetchJson<ImportProgress>(importApiPath(scope, id, "progress"), signal),
  });

export const importResultPath = (scope: Scope, id: string, format: ExportFormat) =>
  importApiPath(scope, id, `result?format=${format}`);

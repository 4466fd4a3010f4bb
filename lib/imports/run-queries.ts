import { queryOptions } from "@tanstack/react-query";
import type { JobPause } from "#lib/db/lease.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import type { ExportFormat } from "#lib/list-answer.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { CountsByState } from "#lib/subscriptions/bulk/rules.ts";
import { subscriptionsKey } from "#lib/subscriptions/queries.ts";
import { IMPORTS } from "./search.ts";

/** How far the run of an import is, and its taking back. */
export interface ImportProgress {
  started_at: string | null;
  /** The current name of who started it; null if the account was deleted. */
  started_by: string | null;
  paused_at: string | null;
  closed_at: string | null;
  undo_started_at: string | null;
  counts: CountsByState;
  /** Rows that are still to be made, or to be taken back once that was started. */
  rest: number;
  /** Made subscriptions whose buyers are to pay first. */
  links: number;
  /** Whether a browser tab worked on it a moment ago. */
  is_busy: boolean;
  /** Whether the service can take back what nobody has paid. */
  can_undo: boolean;
}

/** Whether a browser tab works on the rows that are left. */
export const isUnderWay = ({
  is_busy,
  rest,
  paused_at,
}: Pick<ImportProgress, "is_busy" | "rest" | "paused_at">): boolean =>
  is_busy && rest > 0 && paused_at === null;

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

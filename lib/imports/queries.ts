import type { Failure } from "#lib/failure.ts";
import type { ImportRow, ImportRun, VerdictCounts } from "./rules.ts";

/** A billing period that buyers can be given. */
export interface ImportPeriod {
  pbp_id: string;
  name: string;
}

export interface ImportView {
  run: ImportRun;
  /** Whether its columns are to be confirmed; `rows` are then the first few. */
  isMapping: boolean;
  counts: VerdictCounts;
  rows: ImportRow[];
  /** The number of the last row if more follow. */
  next: string | null;
  periods: ImportPeriod[];
  /** Why the service did not say what is on sale. */
  failure: Failure | null;
  /** False where rows with a day paid until need a decision. */
  takesPaidUntil: boolean;
}

import type { Failure } from "#lib/failure.ts";
import type { ImportRow, ImportRun, VerdictCounts } from "./rules.ts";

/** A billing period that buyers can be given. */
export interface ImportPeriod {
  pbp_id: string;
  name: string;
}

/** Whether what was paid is taken over; `other_key`: not with the key that is connected. */
export type TakesPaidUntil = "yes" | "other_key" | "no";

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
  /** Unless it is, rows with a day paid until need a decision. */
  takesPaidUntil: TakesPaidUntil;
}

import type { Failure } from "#lib/failure.ts";
import type { ImportRow, ImportRun, VerdictCounts } from "./rules.ts";

/** A billing period that buyers can be given. */
export interface ImportPeriod {
  pbp_id: string;
  name: string;
}

/**
 * Whether the service takes over subscriptions that were paid elsewhere until a day; `other_key`:
 * only with another key than the connected one.
 */
export type TakesPaidUntil = "yes" | "other_key" | "no";

export interface ImportView {
  run: ImportRun;
  /** Whether the import's columns must still be confirmed; `rows` are then the first few. */
  isMapping: boolean;
  counts: VerdictCounts;
  rows: ImportRow[];
  /** The number of the last row if more follow. */
  next: string | null;
  periods: ImportPeriod[];
  /** Why the service did not say what is on sale. */
  failure: Failure | null;
  /**
   * Unless this is `yes`, the seller must decide about rows with a day until which the buyer has
   * paid.
   */
  takesPaidUntil: TakesPaidUntil;
}

import type { ComparedStatement, ComparisonRun } from "#contract/payment-accounts.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { StatementPlaces } from "./columns.ts";

/** A row that is not compared: without a reference, or of money that went out. */
export interface LeftOutRow {
  /** Row of the file, from 1. */
  row: number;
  why: "unnamed" | "outgoing";
}

export type StatementDifference = ComparedStatement["results"][number] & {
  /** Row of the file, from 1; null for a payment that the file does not contain. */
  row: number | null;
};

/** A statement's payments, and how they differ from the stored ones. */
export interface StatementCheck {
  headings: string[];
  places: StatementPlaces;
  /** Whether the file is not UTF-8, and was read as Windows-1252. */
  isGuessed: boolean;
  leftOut: LeftOutRow[];
  covers: { from: string; to: string } | null;
  /** Null if the columns are not known. */
  compared: (Omit<ComparedStatement, "results"> & { results: StatementDifference[] }) | null;
}

/** The counts of a comparison, in the order in which they are shown. */
export const COMPARED_COUNTS = [
  "matched",
  "statement_only",
  "service_only",
  "differing",
  "unclear",
] as const satisfies readonly (keyof ComparisonRun)[];

const DIFFERENCES = ["statement_only", "service_only", "differing"] as const;

/** Whether a comparison found something to decide. */
export const isDifferent = (
  counts: Pick<ComparisonRun, (typeof DIFFERENCES)[number]>,
): boolean => DIFFERENCES.some((each) => counts[each] > 0);

export const MAX_STATEMENT_BYTES = 2 * 1_024 * 1_024;

interface StatementUpload {
  provider: string;
  /** The chosen columns as text of `writePlaces`; empty to detect them. */
  columns: string;
  isConfirmed: boolean;
  takesUnknown: boolean;
}

/** The route that compares a statement, sent as the body of a POST. */
export function portalPath(scope: Scope, upload: StatementUpload): string {
  const query = new URLSearchParams({
    provider: upload.provider,
    ...(upload.columns && { columns: upload.columns }),
    ...(upload.isConfirmed && { confirm: "1" }),
    ...(!upload.takesUnknown && { unknown: "0" }),
  });
  return apiPath(scope, `/payments/portal?${query.toString()}`);
}

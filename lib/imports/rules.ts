import type { CountsByState, ItemState } from "#lib/subscriptions/bulk/rules.ts";

/** The most rows of a file, without its headings. */
export const MAX_IMPORT_ROWS = 10_000;
export const MAX_IMPORT_BYTES = 10 * 1024 * 1024;
export const MAX_IMPORT_COLUMNS = 60;
/** Days after which an import is deleted with the buyers in it. */
export const IMPORT_KEPT_DAYS = 30;

/** What a column of the file can be. */
export const IMPORT_FIELDS = [
  "name",
  "phone",
  "email",
  "address",
  "pan_vat",
  "product",
  "price",
  "paid_until",
] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];
/** Fields that need a column of the file, because they have no default. */
export const NEEDED_FIELDS: readonly ImportField[] = ["name", "phone"];

/**
 * Verdicts of rows. `new` and `known` (a known buyer) become subscriptions unless the seller leaves
 * them out; `has` (the buyer has this product) and `double` (repeats an earlier row of the file) only
 * if the seller says so; `wrong` has problems.
 */
const VERDICTS = ["new", "known", "has", "double", "wrong"] as const;
export type Verdict = (typeof VERDICTS)[number];

export type RowProblem =
  | "missing_name"
  | "long_name"
  | "missing_phone"
  | "bad_phone"
  | "missing_email"
  | "bad_email"
  | "missing_address"
  | "long_address"
  | "bad_pan_vat"
  | "missing_product"
  | "unknown_product"
  | "unknown_price"
  | "several_prices"
  | "bad_date"
  | "far_date"
  | "once_dated"
  | "hidden_characters"
  | "formula";

/** Whether the day or the month comes first in dates such as 4/5/2026. */
export type DateOrder = "dmy" | "mdy";

export interface ImportRun {
  id: string;
  /** Null for cells that were pasted. */
  file_name: string | null;
  created_at: string;
  created_by: string | null;
  /** The row of headings; null if the file has none. */
  headings: (string | null)[] | null;
  columns: (ImportField | null)[];
  /** Null until the columns are confirmed. */
  judged_at: string | null;
  is_index_whole: boolean;
  date_order: DateOrder;
  date_order_by: "file" | "seller" | "none";
  default_pbp_id: string | null;
  default_email: string | null;
  default_address: string | null;
  /**
   * What becomes of rows with a day until which the buyer has paid, if the service cannot take that
   * day over.
   */
  unpaid_choice: "pending" | "skip" | null;
  started_at: string | null;
  paused_at: string | null;
  closed_at: string | null;
  undo_started_at: string | null;
}

/** A judged row; days are YYYY-MM-DD. */
export interface ImportRow {
  position: number;
  /** The texts as in the file; null for a formula. */
  cells: (string | null)[];
  mended: Partial<Record<ImportField, string>>;
  name: string | null;
  phone: string | null;
  email: string | null;
  address: string | null;
  pan_vat: string | null;
  pbp_id: string | null;
  product_id: string | null;
  paid_until: string | null;
  verdict: Verdict | null;
  problems: RowProblem[];
  double_of: number | null;
  existing_id: string | null;
  choice: "in" | "out" | null;
  /** Whether the run makes a subscription of the row. */
  is_made: boolean;
  state: ItemState | null;
  subscription_id: string | null;
  checkout_url: string | null;
  message: string | null;
}

/** A cell's text; null for a formula, and empty where the row or the file has no such column. */
export function cellAt(cells: ImportRow["cells"], at: number): string | null {
  const cell = cells[at];
  return cell === undefined ? "" : cell;
}

export interface ImportRunSummary extends ImportRun {
  /** All rows of the file. */
  rows: number;
  counts: CountsByState;
  /** Rows whose subscription must still be made or, once taking back has started, be taken back. */
  rest: number;
  /** Whether a browser tab worked on the run a moment ago. */
  is_busy: boolean;
}

/** Which rows are shown: those of a verdict, those that the seller left out, or that were not made. */
export const ROW_FILTERS = [...VERDICTS, "out", "refused"] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

export interface VerdictCounts extends Record<RowFilter, number> {
  all: number;
  /** Rows of which a subscription is made. */
  made: number;
  /** Those with a day until which the buyer has paid. */
  paid: number;
}

/** A table as it was read, with what its columns seem to be. */
export interface ReadTable extends Pick<ImportRun, "headings" | "columns"> {
  /** `position` is the row's number in the file, from 1. */
  rows: Pick<ImportRow, "position" | "cells">[];
  /** Whether the file is not UTF-8, and was read as Windows-1252. */
  isGuessed: boolean;
}

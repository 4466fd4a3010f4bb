import type { ExportFormat } from "#lib/list-answer.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { ProductDraft } from "../draft.ts";
import type { SheetColumn } from "./columns.ts";

/** A value that a row changes, in the format of its cell. */
export interface RowDetail {
  column: SheetColumn;
  before: string;
  after: string;
  /** The price's currency. */
  currency?: string;
}

export interface CheckedRow {
  /** The row's number in the file; the heading has 1. */
  row: number;
  /** The names of product, plan and billing period. */
  names: string[];
  outcome: "add" | "change" | "same" | "refused";
  /** Why a refused row is left out. */
  problems: string[];
  details: RowDetail[];
}

/** The changes that give one product the values of its rows. */
export type SheetChange = { name: string; product: ProductDraft; is_active: boolean } & (
  { kind: "add"; form: string } | { kind: "change"; product_id: string; version: string }
);

/** The changes that a file would make; nothing has been changed. */
export interface SheetCheck {
  /** ISO 8601. */
  checked_at: string;
  rows: CheckedRow[];
  /** One entry for each product that changes. */
  changes: SheetChange[];
  /** Headings of columns that are not read. */
  ignored: string[];
  /** Columns that the file does not have, whose values stay as they are. */
  missing: SheetColumn[];
  /** Whether the file is not UTF-8, and was read as Windows-1252. */
  isGuessed: boolean;
}

/** The part of the result that depends on the rows alone. */
export type RowChecks = Pick<SheetCheck, "rows" | "changes">;

/** The route that checks a file, sent as the body of a POST. */
export const checkPath = (scope: Scope): string => apiPath(scope, "/products/import");

export const sheetFilePath = (scope: Scope, format: ExportFormat, isTemplate = false): string =>
  apiPath(scope, `/products/export?format=${format}${isTemplate ? "&template=1" : ""}`);

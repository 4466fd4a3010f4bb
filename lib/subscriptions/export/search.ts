import { textReader, type Parameters } from "#lib/search-params.ts";
import {
  parseSubscriptionSearch,
  wholeQueryString,
  type SubscriptionSearch,
} from "../search.ts";

export const EXPORT_FORMATS = ["csv", "xlsx"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The address of a file: what is listed, and how it is written. */
export interface ExportSearch {
  search: SubscriptionSearch;
  format: ExportFormat;
  /** Those of the list, in their order; null for all that there are. */
  columns: string[] | null;
}

const LONGEST_COLUMNS = 500;

export function parseExportSearch(parameters: Parameters): ExportSearch {
  const text = textReader(parameters);
  const columns = text("columns").slice(0, LONGEST_COLUMNS).split(",").filter(Boolean);
  return {
    search: parseSubscriptionSearch(parameters),
    format: EXPORT_FORMATS.find((known) => known === text("format")) ?? "csv",
    columns: columns.length > 0 ? columns : null,
  };
}

/** Of the whole list, whichever of its pages is looked at. */
export function exportQueryString({ search, format, columns }: ExportSearch): string {
  const given = new URLSearchParams(wholeQueryString(search));
  given.set("format", format);
  if (columns) given.set("columns", columns.join(","));
  return `?${given}`;
}

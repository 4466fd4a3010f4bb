import { queryOptions } from "@tanstack/react-query";
import { type Scope, apiPath } from "#lib/scope.ts";
import { fetchFile, readRoute } from "#lib/query/fetch-json.ts";
import {
  type ExportFormat,
  type ExportPreview,
  readExportFormat,
  searchTextHeader,
} from "#lib/list-answer.ts";
import {
  type SubscriptionSearch,
  parseSubscriptionSearch,
  wholeQueryString,
} from "#lib/subscriptions/search.ts";
import { type UrlParameters, textReader } from "#lib/search-params.ts";

export const exportPreviewQuery = (scope: Scope, search: SubscriptionSearch, words: string) =>
  queryOptions({
    queryKey: [scope, "subscriptions", "export", wholeQueryString(search), words] as const,
    queryFn: readRoute<ExportPreview>(
      scope,
      `/subscriptions/export/count${wholeQueryString(search)}`,
      searchTextHeader(words),
    ),
    // The number is read again each time the menu opens.
    staleTime: 0,
  });

/** @throws AppError, also if the download breaks off */
export const fetchExport = (
  scope: Scope,
  wanted: ExportSearch,
  words: string,
  signal: AbortSignal,
) =>
  fetchFile(
    apiPath(scope, `/subscriptions/export${exportQueryString(wanted)}`),
    signal,
    searchTextHeader(words),
  );

export interface ExportSearch {
  search: SubscriptionSearch;
  format: ExportFormat;
  /** The list's columns in their order; null for all columns. */
  columns: string[] | null;
}

const LONGEST_COLUMNS = 500;

export function parseExportSearch(parameters: UrlParameters): ExportSearch {
  const text = textReader(parameters);
  const columns = text("columns").slice(0, LONGEST_COLUMNS).split(",").filter(Boolean);
  return {
    search: parseSubscriptionSearch(parameters),
    format: readExportFormat(parameters),
    columns: columns.length > 0 ? columns : null,
  };
}

export function exportQueryString({ search, format, columns }: ExportSearch): string {
  const given = new URLSearchParams(wholeQueryString(search));
  given.set("format", format);
  if (columns) given.set("columns", columns.join(","));
  return `?${given}`;
}

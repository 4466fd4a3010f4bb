import { queryOptions } from "@tanstack/react-query";
import { apiPath, type Scope } from "#lib/scope.ts";
import { fetchFile, fetchJson } from "#lib/query/fetch-json.ts";
import { searchTextHeader } from "#lib/list-answer.ts";
import type { IndexAbsence } from "#lib/list-answer.ts";
import { wholeQueryString, type SubscriptionSearch } from "../search.ts";
import { exportQueryString, type ExportSearch } from "./search.ts";

/** How many rows a file would have now, or why there can be none. */
export type ExportPreview =
  { state: "ready"; as_of: string; age_s: number; count: number } | IndexAbsence;

export const exportPreviewQuery = (scope: Scope, search: SubscriptionSearch, words: string) =>
  queryOptions({
    queryKey: [scope, "subscriptions", "export", wholeQueryString(search), words] as const,
    queryFn: ({ signal }) =>
      fetchJson<ExportPreview>(
        apiPath(scope, `/subscriptions/export/count${wholeQueryString(search)}`),
        signal,
        searchTextHeader(words),
      ),
    // Whoever opens the menu wants to know how it is now.
    staleTime: 0,
  });

/** @throws AppError; a file that breaks off on its way is none */
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

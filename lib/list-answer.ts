import { pollUnlessLive } from "#lib/query/client.ts";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "#contract/names.ts";
import { retryDelayOf, failureOf } from "./failure.ts";
import { textReader, type UrlParameters, wholeNumberWithDefault } from "./search-params.ts";

/** The index cannot be queried yet. `halted`: its first sync failed and waits to be tried again. */
export interface IndexAbsence {
  state: "filling" | "halted";
  /** Rows read so far; the total is null if unknown. */
  read: number;
  total: number | null;
}

/** One page of a list, read from the billing service's API or from the search index. */
export interface ListAnswer<Row> {
  results: Row[];
  /** The number of rows; null if unknown. */
  count: number | null;
  /** Whether there are more rows than were counted. */
  is_capped: boolean;
  has_next: boolean;
  /** Whether no row matches as typed, and the rows match by sound. */
  is_near: boolean;
  /** `as_of` is ISO 8601; `age_s` is its age in seconds. */
  source: { kind: "api" | "index"; as_of: string; age_s: number };
  /** Why the API answered instead of the index; null if the index answered or was not needed. */
  absence: IndexAbsence | null;
}

/**
 * The header with the search text. It may name a buyer, so it is not in a URL, because URLs are
 * logged.
 */
const SEARCH_TEXT_HEADER = "x-words";

export const searchTextHeader = (text: string): Record<string, string> =>
  text === "" ? {} : { [SEARCH_TEXT_HEADER]: encodeURIComponent(text) };

/** Reads the search text from the header; empty if the header is missing or malformed. */
export function readSearchText({ headers }: Request): string {
  try {
    return decodeURIComponent(headers.get(SEARCH_TEXT_HEADER) ?? "");
  } catch {
    return "";
  }
}

/** The number of rows of the file of a list, or why there is none. */
export type ExportPreview =
  { state: "ready"; as_of: string; age_s: number; count: number } | IndexAbsence;

export const EXPORT_FORMATS = ["csv", "xlsx"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const readExportFormat = (parameters: UrlParameters): ExportFormat =>
  EXPORT_FORMATS.find((known) => known === textReader(parameters)("format")) ?? "csv";

/** Milliseconds until a page checks again whether the index is ready. */
export const FILLING_RECHECK_MS = 5_000;
const INDEX_MS = 30_000;

/** A `refetchInterval`: the index changes by itself, and pages show its progress while it fills. */
export function refetchList(query: { state: ListState }): number | false {
  const { data, error } = query.state;
  if (error) return retryDelayOf(failureOf(error));
  if (data?.absence) return FILLING_RECHECK_MS;
  return data?.source.kind === "index" && pollUnlessLive(INDEX_MS);
}

interface ListState {
  data?: Pick<ListAnswer<never>, "absence" | "source"> | undefined;
  error: Error | null;
}

export const PAGE_SIZES = [20, 50, 100] as const;
const LARGEST_PAGE = 1_000_000;

/** The requested page of a list; pages count from 1. */
export interface Paging {
  page: number;
  page_size: number;
}

/** The fields of `defineSearch` for a page of a list. */
export const PAGING_FIELDS = {
  page: wholeNumberWithDefault(LARGEST_PAGE, 1),
  page_size: wholeNumberWithDefault(MAX_PAGE_SIZE, DEFAULT_PAGE_SIZE),
};

import { apiPath, scopePath, type Scope } from "#lib/scope.ts";
import { addMonths } from "#lib/format/calendar.ts";
import {
  defineSearch,
  FISCAL_YEAR,
  MONTH,
  oneOf,
  textMatching,
  type SearchOf,
} from "#lib/search-params.ts";

export const STATEMENT_FORMATS = ["csv", "pdf"] as const;

/** A month as the service takes it. */
const month = textMatching(MONTH);
const fields = {
  /** A month in the seller's time zone. */
  month,
  /** The entry after which the page begins. */
  after: textMatching(/^\d{1,15}$/),
};
const statementSearch = defineSearch(fields);
const fileSearch = defineSearch({ month, format: oneOf(STATEMENT_FORMATS) });

export const BOOK_SPANS = ["month", "year"] as const;
export type BookSpan = (typeof BOOK_SPANS)[number];
export const BOOK_FORMATS = ["csv", "xlsx"] as const;
/**
 * A sales book: of a month, of the fiscal year in which the month ends, or of a named fiscal year.
 */
const bookSearch = defineSearch({
  month,
  span: oneOf(BOOK_SPANS),
  year: textMatching(FISCAL_YEAR),
  book: oneOf(BOOK_FORMATS),
});

/** Null where the address asks for no sales book. */
export function parseSalesBook(parameters: URLSearchParams) {
  const { month: chosen, span, year, book } = bookSearch.parse(parameters);
  return chosen === null || book === null
    ? null
    : { month: chosen, span: span ?? ("month" as const), year, format: book };
}

export const salesBookPath = (
  scope: Scope,
  search: Partial<SearchOf<typeof bookSearch>>,
): string => apiPath(scope, `/payments/statement${bookSearch.toQuery(search)}`);
export type StatementSearch = SearchOf<typeof statementSearch>;
export const parseStatementSearch = statementSearch.parse;
export const parseStatementFile = (parameters: URLSearchParams) => {
  const { month: chosen, format } = fileSearch.parse(parameters);
  return { month: chosen, format: format ?? ("csv" as const) };
};

export const statementPath = (scope: Scope, search: Partial<StatementSearch> = {}): string =>
  scopePath(scope, `/payments/statement${statementSearch.toQuery(search)}`);

export const statementFilePath = (scope: Scope, search: SearchOf<typeof fileSearch>): string =>
  apiPath(scope, `/payments/statement${fileSearch.toQuery(search)}`);

const MONTHS_LISTED = 36;

/** The months to choose from, the newest first, and the shown one. @param newest YYYY-MM */
export function listedMonths(newest: string, shown: string): string[] {
  const listed = Array.from({ length: MONTHS_LISTED }, (_, back) => monthAfter(newest, -back));
  if (listed.includes(shown)) return listed;
  return [...listed, shown].sort().reverse();
}

export const monthAfter = (from: string, months: number): string =>
  addMonths(`${from}-01`, months).slice(0, 7);

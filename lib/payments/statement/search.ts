import { apiPath, scopePath, type Scope } from "#lib/scope.ts";
import { addMonths } from "#lib/format/calendar.ts";
import { defineSearch, oneOf, textMatching, type SearchOf } from "#lib/search-params.ts";

export const STATEMENT_FORMATS = ["csv", "pdf"] as const;

/** A month as the service takes it. */
const month = textMatching(/^(19|20)\d{2}-(0[1-9]|1[0-2])$/);
const fields = {
  /** In the seller's time zone. */
  month,
  /** The entry after which the page begins. */
  after: textMatching(/^\d{1,15}$/),
};
const statementSearch = defineSearch(fields);
const fileSearch = defineSearch({ month, format: oneOf(STATEMENT_FORMATS) });
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

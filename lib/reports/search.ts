import { scopePath, type Scope } from "#lib/scope.ts";
import { day, defineSearch, shortText, type SearchOf } from "#lib/search-params.ts";

/** Each report is a request of its own, so that one failure leaves the others. */
export const REPORTS = [
  "revenue",
  "subscribers",
  "movement",
  "checkouts",
  "owed",
  "expected",
  "collected",
  "products",
  "retention",
] as const;
export type ReportName = (typeof REPORTS)[number];

const LONGEST_NAME = 200;

/** Nothing in it identifies a buyer. */
const reportSearch = defineSearch({
  /** First and last day in the seller's time zone; null for the last 30 days. */
  from: day(),
  to: day(),
  /** A product's name, a part of it, or an id, as in the subscription list. */
  product: shortText(LONGEST_NAME),
  plan: shortText(LONGEST_NAME),
  /** The shown currency; every answer contains all of them. */
  currency: shortText(LONGEST_NAME),
});
export type ReportSearch = SearchOf<typeof reportSearch>;
export const { parse: parseReportSearch, toQuery: reportQueryString } = reportSearch;

export const reportsPath = (scope: Scope, search: Partial<ReportSearch>): string =>
  scopePath(scope, `/reports${reportQueryString(search)}`);

export const readReportName = (text: string): ReportName | null =>
  REPORTS.find((known) => known === text) ?? null;

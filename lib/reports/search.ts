import { type Scope, scopePath } from "#lib/scope.ts";
import {
  calendarDayOrNull,
  defineSearch,
  type SearchOf,
  shortText,
} from "#lib/search-params.ts";
import { addDays, addMonths, endOfMonth } from "#lib/format/calendar.ts";

/** The reports in display order. Each is its own request, so that one failure leaves the others. */
export const REPORTS = [
  "revenue",
  "subscribers",
  "owed",
  "expected",
  "collected",
  "checkouts",
  "movement",
  "leaving",
  "products",
  "retention",
] as const;
export type ReportName = (typeof REPORTS)[number];

const LONGEST_NAME = 200;

/** The parameters of a report's URL; none identifies a buyer. */
const reportSearch = defineSearch({
  /** First and last day in the seller's time zone; null for the last 30 days. */
  from: calendarDayOrNull(),
  to: calendarDayOrNull(),
  /** A product's name, a part of it, or an id, as in the subscription list. */
  product: shortText(LONGEST_NAME),
  plan: shortText(LONGEST_NAME),
  /** The displayed currency; the answers contain all currencies. */
  currency: shortText(LONGEST_NAME),
});
export type ReportSearch = SearchOf<typeof reportSearch>;
export const { parse: parseReportSearch, toQuery: reportQueryString } = reportSearch;

export const reportsPath = (scope: Scope, search: Partial<ReportSearch>): string =>
  scopePath(scope, `/reports${reportQueryString(search)}`);

export const readReportName = (text: string): ReportName | null =>
  REPORTS.find((known) => known === text) ?? null;

export const PRESETS = ["days30", "month", "lastMonth", "days90", "year"] as const;
type Preset = (typeof PRESETS)[number];

type Asked = Pick<ReportSearch, "from" | "to">;

/**
 * A preset's days as YYYY-MM-DD; null for the default, so that its URL always means the last 30
 * days.
 */
export function presetDays(preset: Preset, today: string): Asked {
  const first = `${today.slice(0, 8)}01`;
  switch (preset) {
    case "days30":
      return { from: null, to: null };
    case "month":
      return { from: first, to: today };
    case "lastMonth": {
      const from = addMonths(first, -1);
      return { from, to: endOfMonth(from) };
    }
    case "days90":
      return { from: addDays(today, -89), to: today };
    case "year":
      return { from: addDays(addMonths(today, -12), 1), to: today };
  }
}

/** The URL's preset; null for custom days. */
export function presetOf({ from, to }: Asked, today: string): Preset | null {
  return (
    PRESETS.find((preset) => {
      const asked = presetDays(preset, today);
      return asked.from === from && (asked.to ?? today) === (to ?? today);
    }) ?? null
  );
}

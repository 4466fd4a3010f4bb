import type { Subscription } from "#contract/subscriptions.ts";
import { addDays } from "#lib/format/calendar.ts";
import { calendarDay } from "#lib/format/format.ts";

/** How far ahead "soon" looks. */
export const DAYS_AHEAD = 7;

type Dated = Pick<Subscription, "next_billing_cycle" | "current_period_end">;

/** Earliest billing date first; those without one at the end, in the order they came. */
export function byBillingDate<Row extends Dated>(rows: Row[]): Row[] {
  return rows.toSorted((a, b) => momentOf(a) - momentOf(b) || 0);
}

/** Whether it bills today or on one of the next days; both as days of the seller's zone. */
export function billsSoon(row: Dated, timeZone: string, now: string): boolean {
  const day = row.next_billing_cycle && calendarDay(row.next_billing_cycle, timeZone);
  const today = calendarDay(now, timeZone);
  return Boolean(day && today && today <= day && day <= addDays(today, DAYS_AHEAD));
}

/** Infinity without a date; subtracting two of those gives no number, which counts as equal. */
function momentOf({ next_billing_cycle, current_period_end }: Dated): number {
  const moment = Date.parse(next_billing_cycle ?? current_period_end ?? "");
  return Number.isNaN(moment) ? Infinity : moment;
}

import type { Subscription } from "#contract/subscriptions.ts";

/** How far ahead "soon" looks. */
export const DAYS_AHEAD = 7;

type Dated = Pick<Subscription, "next_billing_cycle" | "current_period_end">;

/** Earliest billing date first; those without one at the end, in the order they came. */
export function byBillingDate<Row extends Dated>(rows: Row[]): Row[] {
  return rows.toSorted((a, b) => momentOf(a) - momentOf(b) || 0);
}

/** Infinity without a date; subtracting two of those gives no number, which counts as equal. */
function momentOf({ next_billing_cycle, current_period_end }: Dated): number {
  const moment = Date.parse(next_billing_cycle ?? current_period_end ?? "");
  return Number.isNaN(moment) ? Infinity : moment;
}

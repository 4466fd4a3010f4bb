import type { Subscription } from "#contract/subscriptions.ts";

export const PANEL_ROWS = 6;

/** The number of days within which a billing date counts as soon. */
export const SOON_DAYS = 7;

type Dated = Pick<Subscription, "next_billing_cycle" | "current_period_end">;

/** Sorts by billing date, else the end of the period, earliest first; rows without either come last. */
export function byBillingDate<Row extends Dated>(rows: Row[]): Row[] {
  return rows.toSorted((a, b) => momentOf(a) - momentOf(b) || 0);
}

/**
 * Milliseconds since 1970, or Infinity without a date. The difference of two Infinities is NaN,
 * which sorts as equal.
 */
function momentOf({ next_billing_cycle, current_period_end }: Dated): number {
  const moment = Date.parse(next_billing_cycle ?? current_period_end ?? "");
  return Number.isNaN(moment) ? Infinity : moment;
}

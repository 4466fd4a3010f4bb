import { addDays, addMonths } from "#lib/format/calendar.ts";

/** Subscriptions that bill on the same days at the same price. */
export interface Billing {
  currency: string;
  /** "month:3"; null if unknown. */
  every: string | null;
  /** YYYY-MM-DD in the seller's time zone. */
  next_day: string;
  /** The day of the month to bill on, or the last day of shorter months. */
  anchor: number;
  count: number;
  /** The list price of each as decimal text; null if not a number. */
  price: string | null;
  pbp_id: string;
}

/**
 * Billing days from the first one until `end`. Months are counted from the first day, so that 31
 * January bills on 28 February and on 31 March.
 * @param end YYYY-MM-DD, excluded
 */
export function billingDays(
  { every, next_day, anchor }: Pick<Billing, "every" | "next_day" | "anchor">,
  end: string,
): string[] {
  const days: string[] = [];
  for (let at = 0, day = next_day; day < end; day = dayAfter(next_day, anchor, every, at)) {
    days.push(day);
    at += 1;
    if (every === null || every.startsWith("one_time")) break;
  }
  return days;
}

function dayAfter(first: string, anchor: number, every: string | null, times: number): string {
  const [type, count] = (every ?? "").split(":");
  const amount = Number(count) * times;
  if (type === "day") return addDays(first, amount);
  if (type === "week") return addDays(first, 7 * amount);
  const month = addMonths(`${first.slice(0, 8)}01`, type === "year" ? 12 * amount : amount);
  return addMonths(`${FIRST_WITH_31}-${String(anchor).padStart(2, "0")}`, monthsSince(month));
}

/** A month of 31 days. */
const FIRST_WITH_31 = "2000-01";

function monthsSince(day: string): number {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return (year - 2000) * 12 + month - 1;
}

/** The period's start day is the anchor if the billing month lacks it. */
export function anchorOf(next_day: string, start_day: string | null): number {
  const [day, start] = [next_day, start_day ?? next_day].map((text) => Number(text.slice(8)));
  const isLast = addDays(next_day, 1).slice(8) === "01";
  return isLast ? Math.max(day ?? 1, start ?? 1) : (day ?? 1);
}

import type { Seller } from "../sellers/store.ts";
import { localDate } from "#contract/process/local-day.ts";
import type { SubscriptionDates, SubscriptionRow } from "./store.ts";

export interface Interval {
  interval_type: string;
  interval_count: number;
}

/**
 * Spec choice, billing time: a billing date is a day; as a timestamp it is noon of that day in
 * the seller's zone, so that readers in UTC, or those who cut off the time, still see the same
 * day.
 */
export function billingMoment(date: Temporal.PlainDate, timeZone: string): Date {
  const noon = date.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(12) });
  return new Date(noon.epochMilliseconds);
}

/**
 * `count` intervals after `from`; months and years end on the anchor day or, in a shorter month, on
 * its last day.
 */
export function addIntervals(
  from: Temporal.PlainDate,
  { interval_type, interval_count }: Interval,
  anchorDay: number,
  count = 1,
): Temporal.PlainDate {
  const amount = interval_count * count;
  if (interval_type === "day") return from.add({ days: amount });
  if (interval_type === "week") return from.add({ weeks: amount });
  const month = from
    .with({ day: 1 })
    .add(interval_type === "year" ? { years: amount } : { months: amount });
  return month.with({ day: Math.min(anchorDay, month.daysInMonth) });
}

interface Renewal {
  billingDate: Temporal.PlainDate;
  today: Temporal.PlainDate;
  interval: Interval;
  anchorDay: number;
}

/**
 * Spec choice, payment of a due subscription: the missed date plus whole intervals until it is
 * in the future. Spec choice, early renewals: one interval is added to the end, and the period
 * keeps its start (null).
 */
export function renewedPeriod({ billingDate, today, interval, anchorDay }: Renewal): {
  start: Temporal.PlainDate | null;
  end: Temporal.PlainDate;
} {
  const after = (count: number) => addIntervals(billingDate, interval, anchorDay, count);
  let count = 1;
  while (Temporal.PlainDate.compare(after(count), today) <= 0) count += 1;
  const isEarly = Temporal.PlainDate.compare(today, billingDate) < 0;
  return {
    start: isEarly ? null : count === 1 ? billingDate : after(count - 1),
    end: after(count),
  };
}

/**
 * The dates of a subscription once it is paid at that time, and the days that the payment covers.
 */
export function paidPeriod(
  subscription: SubscriptionRow,
  { time_zone }: Seller,
  now: Date,
): {
  dates: SubscriptionDates;
  period: { from: Temporal.PlainDate; to: Temporal.PlainDate } | null;
} {
  // Spec choice, one-time purchases: a paid one-time purchase has no period at all.
  if (subscription.is_one_time)
    return {
      dates: { current_period_start: null, next_billing_cycle: null, anchor_day: null },
      period: null,
    };
  const today = localDate(now, time_zone);
  const { current_period_start, next_billing_cycle } = subscription;
  if (next_billing_cycle === null) {
    const to = addIntervals(today, subscription, today.day);
    return {
      dates: {
        current_period_start: now,
        next_billing_cycle: billingMoment(to, time_zone),
        anchor_day: today.day,
      },
      period: { from: today, to },
    };
  }
  const billingDate = localDate(next_billing_cycle, time_zone);
  const anchorDay = subscription.anchor_day ?? billingDate.day;
  const { start, end } = renewedPeriod({
    billingDate,
    today,
    interval: subscription,
    anchorDay,
  });
  return {
    dates: {
      // An early payment only extends the end of the current period.
      current_period_start: start ? billingMoment(start, time_zone) : current_period_start,
      next_billing_cycle: billingMoment(end, time_zone),
      anchor_day: anchorDay,
    },
    period: { from: start ?? billingDate, to: end },
  };
}

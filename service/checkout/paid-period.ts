import type { Seller } from "../sellers/store.ts";
import {
  addIntervals,
  billingMoment,
  localDate,
  renewedPeriod,
} from "../subscriptions/periods.ts";
import type { Dates, SubscriptionRow } from "../subscriptions/store.ts";

interface Paid {
  /** The dates of the subscription once it is paid. */
  dates: Dates;
  /** The days the payment covers; null for a one-time purchase. */
  period: { from: Temporal.PlainDate; to: Temporal.PlainDate } | null;
}

/** The period that a payment at that time buys. */
export function paidPeriod(subscription: SubscriptionRow, seller: Seller, now: Date): Paid {
  // Spec choice, one-time purchases: a paid one-time purchase has no period at all.
  if (subscription.is_one_time)
    return {
      dates: { current_period_start: null, next_billing_cycle: null, anchor_day: null },
      period: null,
    };
  const today = localDate(now, seller.time_zone);
  const { next_billing_cycle: billingCycle } = subscription;
  return billingCycle === null
    ? firstPeriod(subscription, seller, { today, now })
    : nextPeriod({ ...subscription, next_billing_cycle: billingCycle }, seller, today);
}

function firstPeriod(
  subscription: SubscriptionRow,
  { time_zone }: Seller,
  { today, now }: { today: Temporal.PlainDate; now: Date },
): Paid {
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

function nextPeriod(
  subscription: SubscriptionRow & { next_billing_cycle: Date },
  { time_zone }: Seller,
  today: Temporal.PlainDate,
): Paid {
  const billingDate = localDate(subscription.next_billing_cycle, time_zone);
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
      current_period_start:
        start === null ? subscription.current_period_start : billingMoment(start, time_zone),
      next_billing_cycle: billingMoment(end, time_zone),
      anchor_day: anchorDay,
    },
    period: { from: start ?? billingDate, to: end },
  };
}

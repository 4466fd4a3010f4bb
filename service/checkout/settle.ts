import { randomUUID } from "node:crypto";
import type { Database } from "../db/database.ts";
import type { Seller } from "../sellers/store.ts";
import { changeStatus } from "../subscriptions/change-status.ts";
import {
  addIntervals,
  billingMoment,
  localDate,
  renewedPeriod,
} from "../subscriptions/periods.ts";
import { amountDue } from "../subscriptions/pricing.ts";
import type { Dates, LockedSubscription } from "../subscriptions/store.ts";
import { insertPayment, selectPrice, type Method } from "./store.ts";

export interface Settlement {
  seller: Seller;
  /** As it stands at `now`, locked by the caller's transaction. */
  subscription: LockedSubscription;
  method: Method;
  now: Date;
}

/**
 * Takes a payment that the provider approved: the money, the new dates, the events, or nothing.
 * @returns false where the status no longer takes one
 * @throws a unique violation of one_active_per_period when the buyer has an active twin
 */
export async function settlePayment(
  database: Database,
  { seller, subscription, method, now }: Settlement,
): Promise<boolean> {
  const { outcome } = await changeStatus(database, subscription, {
    trigger: "payment_succeeded",
    reason: subscription.status === "pending_checkout" ? "payment" : "renewal",
    dates: paidDates(subscription, seller, now),
    now,
  });
  if (outcome !== "changed") return false;

  const today = localDate(now, seller.time_zone).toString();
  const price = await selectPrice(database, seller.seller_id, subscription.pbp_id, today);
  await insertPayment(database, subscription, {
    payment_id: randomUUID(),
    // What is paid for begins where the paid time ended.
    period_start: subscription.next_billing_cycle ?? now,
    amount: amountDue(price).total,
    method,
    paid_at: now,
  });
  return true;
}

/** A declined payment leaves the status as it is and says so in an event. */
export async function recordFailure(
  database: Database,
  { subscription, now }: Settlement,
): Promise<void> {
  await changeStatus(database, subscription, {
    trigger: "payment_failed",
    reason: "declined",
    now,
  });
}

function paidDates(subscription: LockedSubscription, seller: Seller, now: Date): Dates {
  // ADR 0101: a paid one-time purchase is marked by having no period at all.
  if (subscription.is_one_time)
    return { current_period_start: null, next_billing_cycle: null, anchor_day: null };
  const today = localDate(now, seller.time_zone);
  const { next_billing_cycle: billingCycle } = subscription;
  if (billingCycle === null) {
    const next = addIntervals(today, subscription, today.day);
    return {
      current_period_start: now,
      next_billing_cycle: billingMoment(next, seller.time_zone),
      anchor_day: today.day,
    };
  }
  const billingDate = localDate(billingCycle, seller.time_zone);
  const anchorDay = subscription.anchor_day ?? billingDate.day;
  const { start, end } = renewedPeriod({
    billingDate,
    today,
    interval: subscription,
    anchorDay,
  });
  return {
    // Paid early, the running period only grows at its end.
    current_period_start:
      start === null
        ? subscription.current_period_start
        : billingMoment(start, seller.time_zone),
    next_billing_cycle: billingMoment(end, seller.time_zone),
    anchor_day: anchorDay,
  };
}

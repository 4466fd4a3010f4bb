import { randomUUID } from "node:crypto";
import type { Database } from "../db/database.ts";
import type { Seller } from "../sellers/store.ts";
import { hasActiveTwin } from "../subscriptions/active-twin.ts";
import { changeStatus } from "../subscriptions/change-status.ts";
import {
  addIntervals,
  billingMoment,
  localDate,
  renewedPeriod,
} from "../subscriptions/periods.ts";
import { amountDue } from "../subscriptions/pricing.ts";
import type { Dates, LockedSubscription } from "../subscriptions/store.ts";
import { transition } from "../subscriptions/transitions.ts";
import { insertPayment, selectPrice, type Method } from "./store.ts";

export interface Settlement {
  seller: Seller;
  /** As it stands at `now`, locked by the caller's transaction. */
  subscription: LockedSubscription;
  method: Method;
  now: Date;
}

/** Refused where the status takes no payment; duplicate while the buyer has an active twin of it. */
export type SettleOutcome = "paid" | "refused" | "duplicate";

/**
 * Takes a payment that the provider approved: the money, the new dates, the events, or nothing.
 * @throws a unique violation of one_active_per_period when a twin becomes active meanwhile
 */
export async function settlePayment(
  database: Database,
  { seller, subscription, method, now }: Settlement,
): Promise<SettleOutcome> {
  const { status, is_one_time: isOneTime } = subscription;
  if (transition(status, "payment_succeeded", { isOneTime }).outcome === "refused")
    return "refused";
  if (await hasActiveTwin(database, seller, subscription, now)) return "duplicate";
  await changeStatus(database, subscription, {
    trigger: "payment_succeeded",
    reason: status === "pending_checkout" ? "payment" : "renewal",
    dates: paidDates(subscription, seller, now),
    now,
  });
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
  return "paid";
}

/** A declined payment leaves the status as it is and says so in an event. */
export async function recordFailure(
  database: Database,
  { subscription, now }: Settlement,
): Promise<"declined" | "refused"> {
  const { outcome } = await changeStatus(database, subscription, {
    trigger: "payment_failed",
    reason: "declined",
    now,
  });
  return outcome === "changed" ? "declined" : "refused";
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

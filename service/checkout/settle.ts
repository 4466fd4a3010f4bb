import { randomUUID } from "node:crypto";
import type { Database } from "../db/database.ts";
import { emit } from "../outbox/emit.ts";
import type { Seller } from "../sellers/store.ts";
import {
  addIntervals,
  billingMoment,
  localDate,
  renewedBillingDate,
} from "../subscriptions/periods.ts";
import { amountDue } from "../subscriptions/pricing.ts";
import { updateStatus, type Dates, type SubscriptionRow } from "../subscriptions/store.ts";
import { transition } from "../subscriptions/transitions.ts";
import { insertPayment, selectPrice, type Method } from "./store.ts";

export interface Settlement {
  seller: Seller;
  /** Locked by the caller's transaction. */
  subscription: SubscriptionRow;
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
  settlement: Settlement,
): Promise<boolean> {
  const { seller, subscription, method, now } = settlement;
  const move = transition(subscription.status, "payment_succeeded", {
    isOneTime: subscription.is_one_time,
  });
  if (move.outcome !== "changed") return false;

  const today = localDate(now, seller.time_zone);
  const price = await selectPrice(
    database,
    seller.seller_id,
    subscription.pbp_id,
    today.toString(),
  );
  const amount = amountDue(price).total;
  const dates = nextDates(subscription, seller, now);
  await updateStatus(database, subscription, move.to, dates);
  const period_start = dates.current_period_start ?? now;
  await insertPayment(database, subscription, {
    ...{ payment_id: randomUUID(), period_start, amount, method },
    paid_at: now,
  });
  await emit(database, {
    seller_id: seller.seller_id,
    subscription_id: subscription.subscription_id,
    events: move.events,
    old_status: subscription.status,
    new_status: move.to,
    reason: subscription.status === "pending_checkout" ? "payment" : "renewal",
    created_at: now,
  });
  return true;
}

/** A declined payment leaves the status as it is and says so in an event. */
export async function recordFailure(database: Database, settlement: Settlement): Promise<void> {
  const { seller, subscription, now } = settlement;
  const move = transition(subscription.status, "payment_failed", {
    isOneTime: subscription.is_one_time,
  });
  if (move.outcome !== "changed") return;
  await emit(database, {
    seller_id: seller.seller_id,
    subscription_id: subscription.subscription_id,
    events: move.events,
    old_status: subscription.status,
    new_status: move.to,
    reason: "declined",
    created_at: now,
  });
}

function nextDates(subscription: SubscriptionRow, seller: Seller, now: Date): Dates {
  // ADR 0004: a paid one-time purchase is marked by having no period at all.
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
  const next = renewedBillingDate({ billingDate, today, interval: subscription, anchorDay });
  return {
    current_period_start: billingCycle,
    next_billing_cycle: billingMoment(next, seller.time_zone),
    anchor_day: anchorDay,
  };
}

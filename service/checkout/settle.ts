import { randomUUID } from "node:crypto";
import type { Database } from "../db/database.ts";
import type { Seller } from "../sellers/store.ts";
import { hasActiveDuplicate } from "../subscriptions/duplicate-subscription.ts";
import { changeStatus } from "../subscriptions/change-status.ts";
import { localDate } from "../subscriptions/periods.ts";
import { amountDue } from "../subscriptions/pricing.ts";
import type { LockedSubscription } from "../subscriptions/store.ts";
import { transition } from "../subscriptions/transitions.ts";
import { paidPeriod } from "./paid-period.ts";
import type { FailureReason } from "./provider.ts";
import type { Method } from "./provider.ts";
import { insertPayment, selectPrice } from "./store.ts";

export interface Settlement {
  seller: Seller;
  /** As it stands at `now`, locked by the caller's transaction. */
  subscription: LockedSubscription;
  method: Method;
  now: Date;
  /** What the provider took, the VAT inside it, for which attempt; the price of the day if left out. */
  charged?: { amount: string; vat: string | null; attempt_id: string };
}

/** Refused where the status takes no payment; duplicate while the buyer has an active twin of it. */
export type SettleOutcome = "paid" | "refused" | "duplicate";

/**
 * Takes a payment that the provider approved: the money, the new dates, the events, or nothing.
 * @throws a unique violation of one_active_per_period when a twin becomes active meanwhile
 */
export async function settlePayment(
  database: Database,
  { seller, subscription, method, now, charged }: Settlement,
): Promise<SettleOutcome> {
  const { status, is_one_time: isOneTime } = subscription;
  if (transition(status, "payment_succeeded", { isOneTime }).outcome === "refused")
    return "refused";
  if (await hasActiveDuplicate(database, seller, subscription, now)) return "duplicate";
  const payment_id = randomUUID();
  const { amount, vat } = charged ?? (await priceOfDay(database, seller, subscription, now));
  await changeStatus(database, subscription, {
    trigger: "payment_succeeded",
    reason: status === "pending_checkout" ? "payment" : "renewal",
    dates: paidPeriod(subscription, seller, now).dates,
    payment: {
      payment_id,
      amount,
      currency: subscription.currency,
      vat,
      method,
    },
    now,
  });
  await insertPayment(database, subscription, {
    payment_id,
    // What is paid for begins where the paid time ended.
    period_start: subscription.next_billing_cycle ?? now,
    amount,
    attempt_id: charged?.attempt_id ?? null,
    method,
    paid_at: now,
  });
  return "paid";
}

async function priceOfDay(
  database: Database,
  { seller_id, time_zone }: Seller,
  { pbp_id }: LockedSubscription,
  now: Date,
) {
  const today = localDate(now, time_zone).toString();
  const { total: amount, vat } = amountDue(
    await selectPrice(database, seller_id, pbp_id, today),
  );
  return { amount, vat };
}

/**
 * A failed payment leaves the status as it is and says so in an event; declined if no reason is given.
 * @returns whether it was one to say so of
 */
export async function recordFailure(
  database: Database,
  {
    subscription,
    reason = "declined",
    now,
  }: { subscription: LockedSubscription; reason?: FailureReason; now: Date },
): Promise<boolean> {
  const change = { trigger: "payment_failed", reason, now } as const;
  return (await changeStatus(database, subscription, change)).outcome === "changed";
}

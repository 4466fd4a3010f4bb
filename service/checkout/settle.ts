import { randomUUID } from "node:crypto";
import type { Database } from "../db/database.ts";
import type { Seller } from "../sellers/store.ts";
import { hasActiveDuplicate } from "../subscriptions/catch-up.ts";
import { changeStatus } from "../subscriptions/change-status.ts";
import { localDate, paidPeriod } from "../subscriptions/periods.ts";
import { amountDue } from "../subscriptions/pricing.ts";
import type { LockedSubscription } from "../subscriptions/store.ts";
import { transition } from "../subscriptions/transitions.ts";
import type { FailureReason } from "./provider.ts";
import type { Method } from "./provider.ts";
import { insertPayment, selectPrice } from "./store.ts";

export interface Settlement {
  seller: Seller;
  /** The subscription at `now`, locked by the caller's transaction. */
  subscription: LockedSubscription;
  method: Method;
  now: Date;
  /** What the provider charged, with its VAT and attempt; if left out, today's price. */
  charged?: { amount: string; vat: string | null; attempt_id: string };
}

/**
 * Refused: by the status. Duplicate: the buyer has an active subscription of the same kind.
 */
export type SettleOutcome = "paid" | "refused" | "duplicate";

/**
 * Records an approved payment: the payment, the new dates and the events, or nothing at all.
 * @throws a unique violation of one_active_per_period if a duplicate becomes active in the
 * meantime
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
    // The paid period begins where the last one ended.
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
 * Emits an event for a failed payment; the status stays. The reason is declined by default.
 * @returns whether an event was emitted
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

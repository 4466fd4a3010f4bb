import { randomUUID } from "node:crypto";
import { processingFee } from "#contract/amount.ts";
import { HAND_METHODS, type PaymentMethod } from "#contract/names.ts";
import type { Database } from "../db/database.ts";
import { hasActiveDuplicate } from "../subscriptions/catch-up.ts";
import { changeStatus } from "../subscriptions/change-status.ts";
import { paidPeriod } from "../subscriptions/periods.ts";
import { findTransition } from "../subscriptions/transitions.ts";
import type { LockedCheckout } from "./open.ts";
import type { ChargeFailure } from "../providers/provider.ts";
import { insertPayment, type Attempt } from "./store.ts";

interface Payment {
  /** Left out, a new id is made. */
  payment_id?: string;
  method: PaymentMethod;
  /** The amount that the provider charged, with its VAT and attempt; today's price if left out. */
  charged?: Pick<Attempt, "vat" | "attempt_id" | "provider_reference"> & { amount: string };
}

const isCollected = (method: PaymentMethod) =>
  !HAND_METHODS.some((byHand) => byHand === method);

/**
 * Records an approved payment: the payment, the new dates and the events, or nothing at all.
 * @returns refused: by the status; duplicate: the buyer has an active subscription of the kind
 * @throws a unique violation of one_active_per_period if a duplicate becomes active in the meantime, or
 * of one_payment_per_period if the period is paid already
 */
export async function settlePayment(
  database: Database,
  { seller, subscription, amount: price, now }: LockedCheckout,
  { payment_id = randomUUID(), method, charged }: Payment,
): Promise<"paid" | "refused" | "duplicate"> {
  const { status, is_one_time: isOneTime } = subscription;
  if (findTransition(status, "payment_succeeded", { isOneTime }).outcome === "refused")
    return "refused";
  if (await hasActiveDuplicate(database, seller, subscription, now)) return "duplicate";
  const { amount, vat } = charged ?? { amount: price.total, vat: price.vat };
  const payment = {
    payment_id,
    amount,
    currency: subscription.currency,
    vat,
    // Spec, Limits: the fee is charged only for payments that the service collected.
    fee: isCollected(method) ? processingFee(amount) : "0.00",
    method,
    provider_reference: charged?.provider_reference ?? null,
    paid_at: now,
  };
  await changeStatus(database, subscription, {
    trigger: "payment_succeeded",
    reason: status === "pending_checkout" ? "payment" : "renewal",
    dates: paidPeriod(subscription, seller, now).dates,
    payment,
    now,
  });
  await insertPayment(database, subscription, {
    ...payment,
    // The paid period begins where the last one ended.
    period_start: subscription.next_billing_cycle ?? now,
    attempt_id: charged?.attempt_id ?? null,
  });
  return "paid";
}

/** Emits an event for a failed payment; the status stays. @returns whether it was emitted */
export async function recordFailure(
  database: Database,
  { subscription, now }: Pick<LockedCheckout, "subscription" | "now">,
  reason: ChargeFailure = "declined",
): Promise<boolean> {
  const change = { trigger: "payment_failed", reason, now } as const;
  return (await changeStatus(database, subscription, change)).outcome === "changed";
}

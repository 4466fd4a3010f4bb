import { randomUUID } from "node:crypto";
import type { PaymentOutcome } from "#contract/sandbox-names.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { Database } from "../db/database.ts";
import { notFound } from "../http/errors.ts";
import { hasActiveDuplicate } from "../subscriptions/duplicate-subscription.ts";
import { submit } from "./attempt.ts";
import { followUp } from "./follow-up.ts";
import { isPayable, canPayEarly, lockCheckout } from "./open.ts";
import { chooseOutcome } from "./sandbox-provider.ts";
import type { Method } from "./provider.ts";
import { insertAttempt, selectAttempt, type Attempt } from "./store.ts";
import type { PaymentContext } from "./payment-context.ts";

// No code is sent, so this attempt does not count towards the hourly limit.
const NO_CODE = Buffer.alloc(0);

export interface StartedPayment {
  subscription_id: string;
  attempt_id: string;
  old_status: SubscriptionStatus;
}

/** Starts a payment as a buyer would; returns it, or why none can start. */
export async function beginPayment(
  database: Database,
  { subscription_id, method, clock }: { subscription_id: string; method: Method; clock: Date },
): Promise<StartedPayment | "settled" | "duplicate"> {
  const checkout = await lockCheckout(database, subscription_id, clock);
  const { seller, subscription, now } = checkout;
  if (!isPayable(subscription) && !canPayEarly(subscription)) return "settled";
  if (await hasActiveDuplicate(database, seller, subscription, now)) return "duplicate";
  const attempt_id = randomUUID();
  await insertAttempt(database, {
    attempt_id,
    seller_id: subscription.seller_id,
    subscription_id,
    method,
    code_hash: NO_CODE,
    created_at: clock,
    expires_at: clock,
    pbp_id: subscription.pbp_id,
    period_start: subscription.next_billing_cycle,
    schedule: subscription.schedule,
  });
  const attempt = await selectAttempt(database, subscription_id, attempt_id);
  if (!attempt) throw new Error("The attempt just inserted was not found.");
  await submit(database, checkout, attempt);
  return { subscription_id, attempt_id, old_status: subscription.status };
}

/** Ends a payment as a buyer on the sandbox provider's page would; can be repeated. */
export async function endPayment(
  payments: PaymentContext,
  id: Pick<StartedPayment, "subscription_id" | "attempt_id">,
  outcome: PaymentOutcome,
): Promise<Attempt> {
  await followUp(payments, id);
  const reference = (await read(payments, id)).provider_reference ?? "";
  await chooseOutcome(payments.pool, { reference, choice: outcome }, payments.now());
  // The sandbox answers the first inquiry "pending" (ADR 0060).
  for (let asked = 0; asked < 2; asked += 1) await followUp(payments, id);
  return read(payments, id);
}

async function read(
  { pool }: PaymentContext,
  { subscription_id, attempt_id }: Pick<StartedPayment, "subscription_id" | "attempt_id">,
): Promise<Attempt> {
  const attempt = await selectAttempt(pool, subscription_id, attempt_id);
  // The account was reset in the meantime.
  if (!attempt) throw notFound();
  return attempt;
}

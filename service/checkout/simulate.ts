import { randomUUID } from "node:crypto";
import type { PaymentOutcome } from "#contract/sandbox-names.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import { transaction, type Database } from "../db/database.ts";
import { hasActiveTwin } from "../subscriptions/active-twin.ts";
import { submit } from "./attempt.ts";
import { followUp } from "./follow-up.ts";
import { isPayable, isPayableAhead, lockCheckout } from "./open.ts";
import { chooseOutcome } from "./sandbox-provider.ts";
import { insertAttempt, selectAttempt, type Attempt, type Method } from "./store.ts";
import type { Till } from "./till.ts";

// Nobody is sent a code, so none leads to it, and it is none of those that an hour allows.
const NO_CODE = Buffer.alloc(0);

/** A payment as it ended, with the status that it found; or why none began. */
export type Simulated =
  { attempt: Attempt; old_status: SubscriptionStatus } | { problem: "settled" | "duplicate" };

/**
 * What a buyer does at the checkout and at the sandbox provider's page, in one go: the attempt, the
 * provider's answer and what follows from it go the buyer's way. @throws 404 for an unknown id
 */
export async function simulatePayment(
  till: Till,
  subscriptionId: string,
  { method, outcome }: { method: Method; outcome: PaymentOutcome },
): Promise<Simulated> {
  const begun = await transaction(till.pool, (database) =>
    begin(database, { subscriptionId, method, clock: till.now() }),
  );
  if ("problem" in begun) return begun;
  const { attempt_id } = begun;
  const id = { subscription_id: subscriptionId, attempt_id };
  await followUp(till, id);
  const reference = (await read(till, id)).provider_reference ?? "";
  await chooseOutcome(till.pool, { reference, choice: outcome }, till.now());
  // To the first question the sandbox answers "pending" (ADR 0061).
  for (let asked = 0; asked < 2; asked += 1) await followUp(till, id);
  return { attempt: await read(till, id), old_status: begun.status };
}

interface Beginning {
  subscriptionId: string;
  method: Method;
  clock: Date;
}

type Begun =
  { attempt_id: string; status: SubscriptionStatus } | { problem: "settled" | "duplicate" };

async function begin(
  database: Database,
  { subscriptionId, method, clock }: Beginning,
): Promise<Begun> {
  const checkout = await lockCheckout(database, subscriptionId, clock);
  const { seller, subscription, now } = checkout;
  if (!isPayable(subscription) && !isPayableAhead(subscription)) return { problem: "settled" };
  if (await hasActiveTwin(database, seller, subscription, now)) return { problem: "duplicate" };
  const attempt_id = randomUUID();
  await insertAttempt(database, {
    attempt_id,
    seller_id: subscription.seller_id,
    subscription_id: subscriptionId,
    method,
    code_hash: NO_CODE,
    created_at: clock,
    expires_at: clock,
    pbp_id: subscription.pbp_id,
    period_start: subscription.next_billing_cycle,
    schedule: subscription.schedule,
  });
  const attempt = await selectAttempt(database, subscriptionId, attempt_id);
  if (!attempt) throw new Error("an attempt that was just written");
  await submit(database, checkout, attempt);
  return { attempt_id, status: subscription.status };
}

async function read(
  { pool }: Till,
  { subscription_id, attempt_id }: { subscription_id: string; attempt_id: string },
): Promise<Attempt> {
  const attempt = await selectAttempt(pool, subscription_id, attempt_id);
  if (!attempt) throw new Error("an attempt that was cleared meanwhile");
  return attempt;
}

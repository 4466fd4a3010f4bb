import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import { transaction, violatesConstraint, type Database } from "../db/database.ts";
import { isStillOwed, lockCheckout, type LockedCheckout } from "./open.ts";
import type { FailureReason, PaymentContext, ProviderResult } from "./provider.ts";
import { recordFailure, settlePayment } from "./settle.ts";
import {
  FIRST_CURSOR,
  markRefunded,
  markRefunding,
  selectAttempt,
  selectUnanswered,
  touchCheckout,
  updateAttempt,
  updateProvider,
  type Attempt,
} from "./store.ts";

const BATCH = 200;

type Id = Pick<Attempt, "subscription_id" | "attempt_id">;

/** A failure that was announced by an event. */
interface AnnouncedFailure {
  at: Date;
  status: SubscriptionStatus;
  reason: FailureReason;
}

/**
 * Takes an attempt as far as its provider can tell: hands it over, asks for the result, records
 * that, or refunds the payment. Repeating it is safe; if the provider fails, a later call asks
 * again.
 * @returns the failure, if this call announced one
 */
export async function followUpAttempt(
  payments: PaymentContext,
  { subscription_id, attempt_id }: Id,
): Promise<AnnouncedFailure | null> {
  const attempt = await selectAttempt(payments.pool, subscription_id, attempt_id);
  const failure = attempt?.state === "pending" ? await ask(payments, attempt) : null;
  const asked = await selectAttempt(payments.pool, subscription_id, attempt_id);
  if (asked?.state !== "returning" || asked.provider_reference === null) return failure;
  await payments.provider.refund(asked.provider_reference);
  await markRefunded(payments.pool, asked);
  return failure;
}

/** Follows up all unfinished attempts, so that no buyer needs to reload the page. */
export async function followUpUnansweredAttempts(
  payments: PaymentContext,
  {
    onError = () => {},
    signal,
  }: { onError?: (error: unknown) => void; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  for (let after = FIRST_CURSOR; !signal?.aborted;) {
    const some = await selectUnanswered(payments.pool, { after, limit: BATCH });
    for (const attempt of some) await followUpAttempt(payments, attempt).catch(onError);
    const last = some.at(-1);
    if (!last) return;
    after = last;
  }
}

async function ask(
  payments: PaymentContext,
  attempt: Attempt,
): Promise<AnnouncedFailure | null> {
  const { pool, provider } = payments;
  const { amount, currency, provider_reference } = attempt;
  if (provider_reference === null) {
    const charge = { ...attempt, amount: amount ?? "", currency: currency ?? "" };
    await updateProvider(pool, attempt, await provider.begin(charge));
    return null;
  }
  const answer = await provider.inquire(provider_reference);
  return answer.state === "pending" ? null : recordResult(payments, attempt, answer);
}

type FinalResult = Exclude<ProviderResult, { state: "pending" }>;

async function recordResult(
  { pool, now }: PaymentContext,
  { subscription_id, attempt_id }: Attempt,
  answer: FinalResult,
): Promise<AnnouncedFailure | null> {
  const at = answer.state === "failed" ? answer.at : undefined;
  try {
    return await transaction(pool, async (database) => {
      const checkout = await lockCheckout(database, subscription_id, now(), at);
      const attempt = await selectAttempt(database, subscription_id, attempt_id);
      // The same answer arrived twice, or two pages asked for it at once.
      if (attempt?.state !== "pending") return null;
      const { failure = null, ...end } = await decideOutcome(database, checkout, {
        attempt,
        answer,
      });
      await updateAttempt(database, { ...attempt, ...end });
      await touchCheckout(database, checkout.subscription, checkout.now);
      return failure;
    });
  } catch (error) {
    const reason = refusedBy(error);
    if (reason === null) throw error;
    const attempt = await selectAttempt(pool, subscription_id, attempt_id);
    if (attempt) await markRefunding(pool, attempt, reason);
    return null;
  }
}

function refusedBy(error: unknown): "duplicate" | "settled" | null {
  if (violatesConstraint(error, "one_active_per_period")) return "duplicate";
  return violatesConstraint(error, "one_payment_per_period") ? "settled" : null;
}

type End = Pick<Attempt, "state" | "reason"> & { failure?: AnnouncedFailure | null };

async function decideOutcome(
  database: Database,
  checkout: LockedCheckout,
  { attempt, answer }: { attempt: Attempt; answer: FinalResult },
): Promise<End> {
  const { stored, now } = checkout;
  // A move to another price begins after what the buyer has agreed to pay.
  const subscription = attempt.pbp_id === stored.pbp_id ? stored : checkout.subscription;
  const isOwed = isStillOwed(attempt, subscription);
  if (answer.state === "left") return { state: "failed", reason: "left" };
  if (answer.state === "failed") {
    const { reason } = answer;
    // A subscription that was paid by another attempt in the meantime has no failed payment.
    const isAnnounced = isOwed && (await recordFailure(database, checkout, reason));
    const failure = isAnnounced ? { at: now, status: subscription.status, reason } : null;
    return { state: "failed", reason, failure };
  }
  if (!isOwed) return { state: "returning", reason: "settled" };
  if (attempt.pbp_id !== subscription.pbp_id) return { state: "returning", reason: "changed" };
  const { method, amount } = attempt;
  const charged = { ...attempt, amount: amount ?? "" };
  const paid = await settlePayment(
    database,
    { ...checkout, subscription },
    { method, charged },
  );
  return paid === "paid"
    ? { state: "paid", reason: null }
    : { state: "returning", reason: paid === "duplicate" ? "duplicate" : "settled" };
}

import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import type { ServiceContext } from "../app.ts";
import { transaction, violates } from "../db/database.ts";
import { isPayable, lockCheckout, openCheckout } from "./open.ts";
import { recordFailure, settlePayment } from "./settle.ts";
import {
  countRecentAttempts,
  insertAttempt,
  selectAttempt,
  updateAttempt,
  type Attempt,
  type Method,
} from "./store.ts";

/** No message leaves the sandbox: its page shows this code openly. */
export const SANDBOX_CODE = "424242";
const MINUTE = 60_000;
const CODE_LIFETIME = 10 * MINUTE;
const WRONG_CODES_ALLOWED = 5;
const CODES_AN_HOUR = 20;

const hashCode = (attemptId: string, code: string) =>
  createHash("sha256").update(`${attemptId}:${code}`).digest();

/** Begins a try to pay. @returns its id, or why none begins. */
export async function startAttempt(
  { pool, now }: ServiceContext,
  subscriptionId: string,
  method: Method,
): Promise<{ attemptId: string } | { problem: "settled" | "too_many" }> {
  const { subscription } = await openCheckout(pool, subscriptionId, now());
  if (!isPayable(subscription)) return { problem: "settled" };
  const hourAgo = new Date(now().getTime() - 60 * MINUTE);
  if ((await countRecentAttempts(pool, subscriptionId, hourAgo)) >= CODES_AN_HOUR)
    return { problem: "too_many" };
  const attemptId = randomUUID();
  await insertAttempt(pool, {
    attempt_id: attemptId,
    seller_id: subscription.seller_id,
    subscription_id: subscription.subscription_id,
    method,
    code_hash: hashCode(attemptId, SANDBOX_CODE),
    created_at: now(),
    expires_at: new Date(now().getTime() + CODE_LIFETIME),
  });
  return { attemptId };
}

/** An attempt that can still be finished, or null when it is used up, expired or unknown. */
export async function findOpenAttempt(
  { pool, now }: Pick<ServiceContext, "pool" | "now">,
  subscriptionId: string,
  attemptId: string,
): Promise<Attempt | null> {
  const attempt = await selectAttempt(pool, subscriptionId, attemptId);
  return attempt?.state === "open" && attempt.expires_at > now() ? attempt : null;
}

export interface Submission {
  attemptId: string;
  code: string;
  /** The total that the buyer saw: another one is shown again before it is charged. */
  shownTotal: string;
  approve: boolean;
}

export type PayOutcome =
  "paid" | "declined" | "settled" | "duplicate" | "expired" | "price_changed" | "wrong_code";

/** One transaction: lock, check everything again, then take the payment or record its failure. */
export async function finishAttempt(
  context: ServiceContext,
  subscriptionId: string,
  submission: Submission,
): Promise<PayOutcome> {
  const now = context.now();
  try {
    return await transaction(context.pool, async (database): Promise<PayOutcome> => {
      const checkout = await lockCheckout(database, subscriptionId, now);
      const { seller, subscription, amount } = checkout;
      if (!isPayable(subscription)) return "settled";
      const scope = { pool: database as ServiceContext["pool"], now: () => now };
      const attempt = await findOpenAttempt(scope, subscriptionId, submission.attemptId);
      if (!attempt) return "expired";
      if (!timingSafeEqual(attempt.code_hash, hashCode(attempt.attempt_id, submission.code))) {
        const wrong_codes = attempt.wrong_codes + 1;
        const state = wrong_codes >= WRONG_CODES_ALLOWED ? "spent" : "open";
        await updateAttempt(database, attempt, { state, wrong_codes });
        return state === "open" ? "wrong_code" : "expired";
      }
      if (submission.shownTotal !== amount.total) return "price_changed";

      const settlement = { seller, subscription, method: attempt.method, now: checkout.now };
      const outcome = submission.approve
        ? await settlePayment(database, settlement)
        : await recordFailure(database, settlement);
      if (outcome === "refused") return "settled";
      if (outcome === "duplicate") return outcome;
      const { wrong_codes } = attempt;
      await updateAttempt(database, attempt, { state: outcome, wrong_codes });
      return outcome;
    });
  } catch (error) {
    // Another subscription of this buyer and period became active meanwhile: nothing was charged.
    if (violates(error, "one_active_per_period")) return "duplicate";
    throw error;
  }
}

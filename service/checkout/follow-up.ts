import { transaction, violates, type Database } from "../db/database.ts";
import { isForWhatIsOwed, lockCheckout } from "./open.ts";
import type { Answer } from "./provider.ts";
import { recordFailure, settlePayment } from "./settle.ts";
import {
  markReturned,
  markReturning,
  selectAttempt,
  selectUnanswered,
  touchCheckout,
  updateAttempt,
  updateProvider,
  type Attempt,
} from "./store.ts";
import type { Till } from "./till.ts";

const BATCH = 200;

/**
 * Takes an attempt as far as its provider can tell: hands it over, asks how it ended, books that, or
 * gives the money back. Repeating it changes nothing; where the provider fails it stays to be asked.
 */
export async function followUp(till: Till, { subscription_id, attempt_id }: Attempt) {
  const attempt = await selectAttempt(till.pool, subscription_id, attempt_id);
  if (attempt?.state === "pending") await ask(till, attempt);
  const asked = await selectAttempt(till.pool, subscription_id, attempt_id);
  if (asked?.state !== "returning" || asked.provider_reference === null) return;
  await till.provider.giveBack(asked.provider_reference);
  await markReturned(till.pool, asked);
}

/** Follows up whatever has no end yet, for the sweep: no buyer needs to look at the page again. */
export async function followUpUnanswered(
  till: Till,
  onError: (error: unknown) => void = () => {},
): Promise<void> {
  for (const attempt of await selectUnanswered(till.pool, BATCH))
    await followUp(till, attempt).catch(onError);
}

async function ask(till: Till, attempt: Attempt): Promise<void> {
  const { pool, provider } = till;
  const { amount, currency, provider_reference } = attempt;
  if (provider_reference === null) {
    const charge = { ...attempt, amount: amount ?? "", currency: currency ?? "" };
    await updateProvider(pool, attempt, await provider.begin(charge));
    return;
  }
  const answer = await provider.inquire(provider_reference);
  if (answer.state !== "pending") await book(till, attempt, answer);
}

type Final = Exclude<Answer, { state: "pending" }>;

async function book(
  { pool, now }: Till,
  { subscription_id, attempt_id }: Attempt,
  answer: Final,
) {
  try {
    await transaction(pool, async (database) => {
      const checkout = await lockCheckout(database, subscription_id, now());
      const attempt = await selectAttempt(database, subscription_id, attempt_id);
      // The same answer came twice, or two pages asked at once.
      if (attempt?.state !== "pending") return;
      const end = await conclude(database, checkout, { attempt, answer });
      await updateAttempt(database, { ...attempt, ...end });
      await touchCheckout(database, checkout.subscription, checkout.now);
    });
  } catch (error) {
    const reason = refusedBy(error);
    if (reason === null) throw error;
    const attempt = await selectAttempt(pool, subscription_id, attempt_id);
    if (attempt) await markReturning(pool, attempt, reason);
  }
}

/** Which of the two last guards ended the transaction, if one did. */
function refusedBy(error: unknown): "duplicate" | "settled" | null {
  if (violates(error, "one_active_per_period")) return "duplicate";
  return violates(error, "one_payment_per_period") ? "settled" : null;
}

type End = Pick<Attempt, "state" | "reason">;

async function conclude(
  database: Database,
  { seller, subscription, now }: Awaited<ReturnType<typeof lockCheckout>>,
  { attempt, answer }: { attempt: Attempt; answer: Final },
): Promise<End> {
  const isOwed = isForWhatIsOwed(attempt, subscription);
  if (answer.state === "left") return { state: "failed", reason: "left" };
  if (answer.state === "failed") {
    const { reason } = answer;
    // What was paid by other means meanwhile has not failed.
    if (isOwed) await recordFailure(database, { subscription, reason, now });
    return { state: "failed", reason };
  }
  if (!isOwed) return { state: "returning", reason: "settled" };
  if (attempt.pbp_id !== subscription.pbp_id) return { state: "returning", reason: "changed" };
  const { method, attempt_id, amount } = attempt;
  const charged = { amount: amount ?? "", attempt_id };
  const paid = await settlePayment(database, { seller, subscription, method, now, charged });
  return paid === "paid"
    ? { state: "paid", reason: null }
    : { state: "returning", reason: paid === "duplicate" ? "duplicate" : "settled" };
}

import { randomUUID } from "node:crypto";
import { transaction, type Database } from "../db/database.ts";
import { hasActiveDuplicate } from "../subscriptions/catch-up.ts";
import type { SubscriptionRow } from "../subscriptions/store.ts";
import { usableMethods } from "./charges/methods.ts";
import {
  afterWrongCode,
  codeIdOf,
  countCodes,
  isCodeOf,
  isCodeOpen,
  isJustSent,
  sendCode,
} from "./codes.ts";
import { followUpAttempt } from "./follow-up.ts";
import {
  isStillOwed,
  isPayable,
  canPayEarly,
  lockCheckout,
  takesPayments,
  type Checkout,
  type LockedCheckout,
} from "./open.ts";
import type { PaymentContext } from "./provider.ts";
import type { PageReader } from "./reader.ts";
import {
  insertAttempt,
  selectAttempt,
  selectNewestAttempt,
  touchCheckout,
  updateAttempt,
  type Attempt,
} from "./store.ts";

interface Start {
  /** The value that the form sent for the way to pay. */
  method: string;
  /** Whether the buyer asked to pay for the next period early. */
  early?: boolean;
  /** Whether this browser has proven the number already, so that no code is needed. */
  isProven?: boolean;
  /** An id generated for each page, so that submitting its form twice requests one code. */
  page?: string | undefined;
  /** The total that the buyer was shown, and agrees to by paying without a code. */
  shownTotal?: string | undefined;
  /** Writes the message with the code. */
  reader: PageReader;
}

type Started =
  | { attemptId: string }
  | { problem: "settled" | "no_channel" | "not_taken" }
  | { problem: "duplicate" | "price_changed" | "begun_too_often" }
  | { problem: "too_many" | "too_soon"; attemptId: string | null };

/** The ways to pay that a checkout offers. */
export const methodsOf = (
  payments: PaymentContext,
  database: Database,
  { seller, subscription, amount }: Checkout,
) =>
  usableMethods(payments, database, seller.seller_id, {
    total: amount.total,
    currency: subscription.currency,
  });

/**
 * Starts a payment attempt and sends its code, or hands it to its provider if no code is needed.
 * @returns its id, or why none can start
 */
export async function startAttempt(
  payments: PaymentContext,
  subscriptionId: string,
  wish: Start,
  onError: (error: unknown) => void = () => {},
): Promise<Started> {
  const started = await openAttempt(payments, subscriptionId, wish);
  // If the provider does not answer now, the next page asks again.
  if ("attemptId" in started && "isHandedOver" in started)
    await followUpAttempt(payments, {
      subscription_id: subscriptionId,
      attempt_id: started.attemptId,
    }).catch(onError);
  return started;
}

async function openAttempt(
  payments: PaymentContext,
  subscriptionId: string,
  wish: Start,
): Promise<Started | { attemptId: string; isHandedOver: true }> {
  const { method: value, early = false, isProven = false, page, reader } = wish;
  const { pool, now, mode } = payments;
  return transaction(pool, async (database) => {
    const checkout = await lockCheckout(database, subscriptionId, now());
    const { subscription } = checkout;
    // Codes expire by real time, whatever the seller's clock shows.
    const moment = now();
    const isOwed = isPayable(subscription) || (early && canPayEarly(subscription));
    if (!isOwed || !takesPayments(checkout)) return { problem: "settled" };
    const methods = await methodsOf(payments, database, checkout);
    const chosen = methods.find((each) => each.value === value);
    if (!chosen) return { problem: "not_taken" };
    const own = page === undefined ? null : codeIdOf(subscriptionId, page);
    const before = own && (await selectAttempt(database, subscriptionId, own));
    if (before && isCodeOpen(before, moment) && isJustSent(before, moment))
      return { attemptId: before.attempt_id };
    const attemptId = own && !before ? own : randomUUID();
    if (chosen.needsNoCode || isProven) {
      if (before && before.account_id === chosen.account_id && isJustSent(before, moment))
        return { attemptId: before.attempt_id, isHandedOver: true };
      const problem = await beginWithoutCode(database, checkout, {
        attempt_id: attemptId,
        method: chosen.method,
        account_id: chosen.account_id,
        shownTotal: wish.shownTotal,
        moment,
      });
      return problem ? { problem } : { attemptId, isHandedOver: true };
    }
    const sent = await sendCode(database, mode, checkout, {
      id: attemptId,
      cause: `code:${attemptId}`,
      moment,
      language: reader.language,
      write: (code) => codeText(checkout, code, reader),
    });
    if ("problem" in sent) {
      if (sent.problem === "no_channel") return { problem: sent.problem };
      const usable = await findUsableAttempt(database, subscription, moment);
      return { problem: sent.problem, attemptId: usable?.attempt_id ?? null };
    }
    await insertAttempt(database, subscription, {
      attempt_id: attemptId,
      method: chosen.method,
      account_id: chosen.account_id,
      ...sent,
      created_at: moment,
    });
    await touchCheckout(database, subscription, checkout.now);
    return { attemptId };
  });
}

/**
 * Begins an attempt that needs no code: the provider has buyers sign in, or the number is proven.
 * @returns why it cannot begin
 */
async function beginWithoutCode(
  database: Database,
  checkout: LockedCheckout,
  {
    shownTotal,
    moment,
    ...attempt
  }: Pick<Attempt, "attempt_id" | "method" | "account_id"> & {
    shownTotal: string | undefined;
    moment: Date;
  },
): Promise<"begun_too_often" | "price_changed" | "duplicate" | null> {
  const { seller, subscription, amount, now } = checkout;
  const { subscription_id } = subscription;
  if ((await countCodes(database, subscription_id, moment)).isFull) return "begun_too_often";
  if (shownTotal !== amount.total) return "price_changed";
  if (await hasActiveDuplicate(database, seller, subscription, now)) return "duplicate";
  await insertPendingAttempt(database, checkout, { ...attempt, moment });
  return null;
}

/** An attempt without a code, ready for its provider. */
export async function insertPendingAttempt(
  database: Database,
  checkout: Checkout,
  {
    moment,
    ...attempt
  }: Pick<Attempt, "attempt_id" | "method" | "account_id"> & { moment: Date },
): Promise<void> {
  const { subscription } = checkout;
  await insertAttempt(database, subscription, {
    ...attempt,
    code_hash: Buffer.alloc(0),
    created_at: moment,
    expires_at: moment,
  });
  const begun = await selectAttempt(database, subscription.subscription_id, attempt.attempt_id);
  if (!begun) throw new Error("The attempt just inserted was not found.");
  await markAttemptPending(database, checkout, begun);
}

function codeText(
  { seller, subscription, amount }: Checkout,
  code: string,
  { texts, money, digits }: PageReader,
) {
  const amountText = money(subscription.currency, amount.total);
  return {
    subject: texts.codeSubject(seller.name),
    body: texts.codeMessage(digits(code), amountText, seller.name),
  };
}

/** ADR 0060: the attempt with the last code, if it can still pay for what is owed now. */
export async function findUsableAttempt(
  database: Database,
  subscription: SubscriptionRow,
  now: Date,
): Promise<Attempt | null> {
  const newest = await selectNewestAttempt(database, subscription.subscription_id);
  const isUsable = newest && isCodeOpen(newest, now) && isStillOwed(newest, subscription);
  return isUsable ? newest : null;
}

interface Submission {
  attemptId: string;
  code: string;
  /** The total shown to the buyer; if it has changed, the new one is shown before charging. */
  shownTotal: string;
}

/** Submitted: the attempt was handed over, by this form or by an earlier one. */
type SubmitOutcome =
  "submitted" | "settled" | "duplicate" | "expired" | "price_changed" | "wrong_code";

/**
 * Checks everything again under the lock, and hands a valid attempt to the provider.
 * @returns also whether this very submission had the right code
 */
export async function submitAttempt(
  payments: PaymentContext,
  subscriptionId: string,
  submission: Submission,
  onError: (error: unknown) => void = () => {},
): Promise<{ outcome: SubmitOutcome; attempt: Attempt | null; isByCode: boolean }> {
  const submitted = await transaction(payments.pool, async (database) => {
    const checkout = await lockCheckout(database, subscriptionId, payments.now());
    const attempt = await selectAttempt(database, subscriptionId, submission.attemptId);
    const outcome = await judge(database, checkout, attempt, submission, payments.now());
    return { outcome, attempt, isByCode: outcome === "submitted" && attempt?.state === "open" };
  });
  const { outcome, attempt, isByCode } = submitted;
  if (outcome !== "submitted" || !attempt) return submitted;
  // If the provider does not answer now, the next page asks again.
  await followUpAttempt(payments, attempt).catch(onError);
  return {
    outcome,
    attempt: await selectAttempt(payments.pool, subscriptionId, attempt.attempt_id),
    isByCode,
  };
}

async function judge(
  database: Database,
  checkout: Checkout,
  attempt: Attempt | null,
  submission: Submission,
  clock: Date,
): Promise<SubmitOutcome> {
  const { seller, subscription, amount, now } = checkout;
  // The form was sent twice, or again from a page reached with the back button.
  if (attempt && attempt.state !== "open" && attempt.state !== "spent") return "submitted";
  if (!takesPayments(checkout)) return "settled";
  if (!isPayable(subscription) && !canPayEarly(subscription)) return "settled";
  if (!attempt || !isCodeOpen(attempt, clock))
    return isPayable(subscription) ? "expired" : "settled";
  if (!isStillOwed(attempt, subscription)) {
    await updateAttempt(database, { ...attempt, state: "spent" });
    return "settled";
  }
  if (!isCodeOf(attempt.attempt_id, attempt, submission.code))
    return countWrongCode(database, attempt);
  if (attempt.pbp_id !== subscription.pbp_id || submission.shownTotal !== amount.total) {
    await updateAttempt(database, { ...attempt, pbp_id: subscription.pbp_id });
    return "price_changed";
  }
  if (await hasActiveDuplicate(database, seller, subscription, now)) return "duplicate";
  await markAttemptPending(database, checkout, attempt);
  return "submitted";
}

async function countWrongCode(database: Database, attempt: Attempt): Promise<SubmitOutcome> {
  const changes = afterWrongCode(attempt);
  await updateAttempt(database, { ...attempt, ...changes });
  return changes.state === "open" ? "wrong_code" : "expired";
}

/** Marks the attempt as pending; a follow-up then hands it to the provider. */
async function markAttemptPending(
  database: Database,
  { subscription, amount, now }: Checkout,
  attempt: Attempt,
): Promise<void> {
  await touchCheckout(database, subscription, now);
  await updateAttempt(database, {
    ...attempt,
    state: "pending",
    amount: amount.total,
    vat: amount.vat,
    currency: subscription.currency,
  });
}

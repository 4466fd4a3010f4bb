import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import { transaction, violatesConstraint, type Database } from "../../db/database.ts";
import type { ChargeFailure, InquiryAnswer } from "../../providers/provider.ts";
import { completeShownRefunds } from "../../refunds/complete.ts";
import { oweBack, selectSellerTime } from "../../refunds/store.ts";
import { sellerNow } from "../../sellers/store.ts";
import { lockSubscription } from "../../subscriptions/store.ts";
import { isStillOwed, lockCheckout, type LockedCheckout } from "../open.ts";
import type { OpenProvider, PaymentContext } from "../provider.ts";
import { recordFailure, settlePayment } from "../settle.ts";
import { selectAttempt, touchCheckout, updateAttempt, type Attempt } from "../store.ts";
import { countable, isSameAmount, storableAmount } from "./countable.ts";
import { laterQuestion, nextLook } from "./schedule.ts";
import {
  lockCharge,
  selectCharges,
  takenAmount,
  tookOtherCurrency,
  updateCharge,
  updateDispute,
  type Charge,
} from "./store.ts";
import { keepHeldTask, keepTasks } from "./tasks.ts";

/** A failure that was announced by an event. */
export interface AnnouncedFailure {
  at: Date;
  status: SubscriptionStatus;
  reason: ChargeFailure;
}

export interface Conclusion {
  failure: AnnouncedFailure | null;
  /** Whether the charge's money has to go back. */
  isOwedBack: boolean;
}

const NOTHING: Conclusion = { failure: null, isOwedBack: false };

/**
 * Records a provider's answer about a charge and its effect on the attempt: the first approved
 * charge pays it if it is still owed, any other one is refunded. It can be repeated, and called by
 * several processes at once.
 */
export async function concludeAnswer(
  payments: PaymentContext,
  asked: Charge,
  { answer: given, by }: { answer: InquiryAnswer; by: OpenProvider },
): Promise<Conclusion> {
  const { charge_id, subscription_id, attempt_id } = asked;
  const { pool, now } = payments;
  const at = given.state === "failed" ? given.at : undefined;
  const isLocal = by.adapter.isLocal === true;
  try {
    return await transaction(pool, async (database) => {
      const checkout = await lockCheckout(database, subscription_id, now(), at);
      const charge = await lockCharge(database, charge_id);
      const attempt = await selectAttempt(database, subscription_id, attempt_id);
      if (!charge || !attempt) return NOTHING;
      const answer = countable(charge, given);
      const asksRefunds = by.adapter.inquireRefund !== undefined;
      const known = { checkout, charge, attempt, isLocal, asksRefunds, clock: now() };
      const conclusion = await decide(database, known, answer);
      if ("dispute" in answer && answer.dispute)
        await updateDispute(database, charge_id, answer.dispute, nextLook(now()));
      await keepTasks(database, charge, answer, sellerNow(checkout.seller, now()));
      return conclusion;
    });
  } catch (error) {
    const reason = refusedBy(error);
    if (reason === null || given.state !== "approved") throw error;
    return transaction(pool, (database) =>
      returnRefused(database, asked, given, { reason, clock: now() }),
    );
  }
}

function refusedBy(error: unknown): "duplicate" | "settled" | null {
  if (violatesConstraint(error, "one_active_per_period")) return "duplicate";
  return violatesConstraint(error, "one_payment_per_period") ? "settled" : null;
}

/** A charge with its attempt and subscription, locked. */
export interface LockedCharge {
  checkout: LockedCheckout;
  charge: Charge;
  attempt: Attempt;
  /** The real time. */
  clock: Date;
}

interface Case extends LockedCharge {
  isLocal: boolean;
  /** Whether the provider can be asked about refunds that are under way. */
  asksRefunds: boolean;
}

type Approved = Extract<InquiryAnswer, { state: "approved" }>;

async function decide(database: Database, known: Case, answer: InquiryAnswer) {
  const { charge } = known;
  switch (answer.state) {
    case "pending":
      return keepWaiting(database, known);
    case "held":
      return hold(database, known, answer.word);
    case "approved":
      return approve(database, known, answer);
    case "refunded":
      return noteRefunded(database, known, answer.amount);
    case "failed":
    case "left":
      // A paid charge stays paid; if the provider denies it now, a person has to ask.
      return charge.state === "approved" ? NOTHING : end(database, known, answer);
  }
}

/** Days after which a charge that is still pending needs a person. */
const PENDING_DAYS = 8;
const DAY = 86_400_000;

async function keepWaiting(database: Database, known: Case): Promise<Conclusion> {
  const { charge, isLocal, clock } = known;
  const { state, begun_at } = charge;
  const isOld = clock.getTime() - begun_at.getTime() > PENDING_DAYS * DAY;
  if (!isLocal && isOld && (state === "open" || state === "held"))
    return hold(database, known, "pending");
  if (state === "claimed" || (state === "held" && charge.answer !== "pending"))
    await updateCharge(database, {
      ...charge,
      state: "open",
      answer: "pending",
      leased_until: null,
      ended_at: null,
    });
  return NOTHING;
}

/** Holds the charge, neither paid nor failed, until a later answer or a person decides. */
async function hold(
  database: Database,
  { charge, clock }: Case,
  word: string,
  // An amount taken in another currency is kept, because it is refunded in another way.
  answered: Partial<Charge> = tookOtherCurrency(charge)
    ? {}
    : { answered_amount: null, answered_currency: null, fee: null },
): Promise<Conclusion> {
  if (charge.state === "approved") return NOTHING;
  const isNew = charge.state !== "held";
  await updateCharge(database, {
    ...charge,
    ...answered,
    state: "held",
    answer: word.slice(0, 40),
    leased_until: null,
    ended_at: isNew ? clock : charge.ended_at,
    next_at: laterQuestion(isNew ? clock : (charge.ended_at ?? clock), clock, "held"),
  });
  return NOTHING;
}

async function approve(database: Database, known: Case, answer: Approved): Promise<Conclusion> {
  const { charge } = known;
  if (charge.state === "approved") return NOTHING;
  const { amount, currency } = answer;
  const isRight = isSameAmount(amount, charge.amount) && currency === charge.currency;
  if (!isRight)
    return hold(database, known, `${amount} ${currency}`, {
      answered_amount: storableAmount(amount),
      answered_currency: currency.slice(0, 3),
      transaction_id: answer.transaction_id,
      fee: currency === charge.currency ? answer.fee : null,
    });
  return bookCharge(database, known, answer);
}

/** Pays the charge's attempt if it is still owed; else the money is refunded. */
export async function bookCharge(
  database: Database,
  known: LockedCharge,
  answer: Approved,
): Promise<Conclusion> {
  const { charge, attempt, checkout, clock } = known;
  const mayPay = attempt.state === "pending" || attempt.state === "failed";
  const end = mayPay ? await settle(database, known) : null;
  const isPaid = end?.state === "paid";
  const approved = approvedBy(charge, answer, clock);
  await updateCharge(database, { ...approved, is_booked: isPaid });
  if (!isPaid)
    await oweBack(database, taken(approved), end?.reason ?? "settled", {
      clock,
      at: checkout.now,
    });
  if (end) {
    const provider_reference = charge.reference;
    await updateAttempt(database, { ...attempt, ...end, provider_reference });
    await touchCheckout(database, checkout.subscription, checkout.now);
  }
  return { failure: null, isOwedBack: !isPaid };
}

const approvedBy = (charge: Charge, answer: Approved, clock: Date): Charge => ({
  ...charge,
  state: "approved",
  answer: "approved",
  leased_until: null,
  next_at: null,
  answered_amount: answer.amount,
  answered_currency: answer.currency,
  transaction_id: answer.transaction_id,
  fee: answer.fee,
  approved_at: answer.at ?? clock,
});

/** The amount taken may differ from the asked one if a person counted a held charge as paid. */
const taken = (charge: Charge): Charge => ({ ...charge, amount: takenAmount(charge) });

async function settle(
  database: Database,
  { checkout, charge, attempt }: LockedCharge,
): Promise<Pick<Attempt, "state" | "reason">> {
  const { stored } = checkout;
  // If a move to another price came due after the buyer agreed, the payment still counts for the old
  // price, and the move begins after it.
  const subscription = attempt.pbp_id === stored.pbp_id ? stored : checkout.subscription;
  if (!isStillOwed(attempt, subscription)) return { state: "returning", reason: "settled" };
  if (attempt.pbp_id !== subscription.pbp_id) return { state: "returning", reason: "changed" };
  const { method, vat, attempt_id } = attempt;
  const charged = {
    vat,
    attempt_id,
    amount: charge.amount,
    provider_reference: charge.reference,
  };
  const paid = await settlePayment(
    database,
    { ...checkout, subscription },
    { method, charged },
  );
  return paid === "paid"
    ? { state: "paid", reason: null }
    : { state: "returning", reason: paid === "duplicate" ? "duplicate" : "settled" };
}

/**
 * Owes a charge's money back after a unique index ended the transaction that would have paid with
 * it.
 */
async function returnRefused(
  database: Database,
  { seller_id, charge_id, subscription_id, attempt_id }: Charge,
  answer: Approved,
  { reason, clock }: { reason: string; clock: Date },
): Promise<Conclusion> {
  // Another charge of the attempt may change its state too.
  await lockSubscription(database, seller_id, subscription_id);
  const charge = await lockCharge(database, charge_id);
  const attempt = await selectAttempt(database, subscription_id, attempt_id);
  if (!charge || !attempt || charge.state === "approved") return NOTHING;
  const approved = approvedBy(charge, answer, clock);
  await updateCharge(database, approved);
  const at = await selectSellerTime(database, charge.seller_id, clock);
  await oweBack(database, taken(approved), reason, { clock, at });
  await keepHeldTask(database, charge, at);
  if (attempt.state === "pending" || attempt.state === "failed")
    await updateAttempt(database, { ...attempt, state: "returning", reason });
  return { failure: null, isOwedBack: true };
}

/** @returns the failure, if the attempt failed with it and it was announced */
async function end(
  database: Database,
  { checkout, charge, attempt, isLocal, clock }: Case,
  answer: Extract<InquiryAnswer, { state: "failed" | "left" }>,
): Promise<Conclusion> {
  const hasEnded = charge.state === "failed" || charge.state === "left";
  if (hasEnded) return NOTHING;
  await updateCharge(database, {
    ...charge,
    state: answer.state,
    answer: answer.state === "failed" ? answer.reason : "left",
    leased_until: null,
    ended_at: clock,
    // Wallets sometimes approve a payment that they said had failed.
    next_at: isLocal ? null : laterQuestion(clock, clock, "ended"),
  });
  const others = await selectCharges(database, attempt);
  const isWaiting = others.some(
    ({ charge_id, state }) =>
      charge_id !== charge.charge_id && ["claimed", "open", "held"].includes(state),
  );
  if (attempt.state !== "pending" || isWaiting) return NOTHING;
  await touchCheckout(database, checkout.subscription, checkout.now);
  if (answer.state === "left") {
    await updateAttempt(database, { ...attempt, state: "failed", reason: "left" });
    return NOTHING;
  }
  const { reason } = answer;
  const { stored, now } = checkout;
  const subscription = attempt.pbp_id === stored.pbp_id ? stored : checkout.subscription;
  // A subscription that was paid by another attempt in the meantime has no failed payment.
  const isOwed = isStillOwed(attempt, subscription);
  const isAnnounced = isOwed && (await recordFailure(database, checkout, reason));
  await updateAttempt(database, { ...attempt, state: "failed", reason });
  const failure = isAnnounced ? { at: now, status: subscription.status, reason } : null;
  return { failure, isOwedBack: false };
}

/** Records that the provider gave money back, which ends an open refund of that amount. */
async function noteRefunded(
  database: Database,
  known: Case,
  amount: string | null,
): Promise<Conclusion> {
  const { charge, checkout, asksRefunds } = known;
  const isWhole = amount === null || isSameAmount(amount, charge.amount);
  const refunded_amount = amount ?? takenAmount(charge);
  if (charge.state !== "approved") {
    if (!isWhole) return hold(database, known, `refunded ${amount}`);
    const { failure } = await end(database, known, { state: "left" });
    const ended = await lockCharge(database, charge.charge_id);
    if (ended)
      await updateCharge(database, {
        ...ended,
        answer: "refunded",
        next_at: null,
        refunded_amount,
      });
    return { failure, isOwedBack: false };
  }
  const shown = {
    told: refunded_amount,
    isAsked: asksRefunds,
    at: checkout.now,
    clock: known.clock,
  };
  const isOpen = await completeShownRefunds(database, charge, shown);
  const next_at = isOpen ? charge.next_at : null;
  await updateCharge(database, { ...charge, refunded_amount, next_at });
  return NOTHING;
}

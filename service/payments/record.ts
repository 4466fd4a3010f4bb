import { randomUUID } from "node:crypto";
import { totalAmount } from "#contract/amount.ts";
import { MAX_DOCUMENT_BYTES } from "#contract/names.ts";
import type {
  DoneBy,
  OwedPayment,
  RecordedPayment,
  RecordPayment,
} from "#contract/recorded-payments.ts";
import {
  canPayEarly,
  isPayable,
  isStillOwed,
  lockCheckout,
  type LockedCheckout,
} from "../checkout/open.ts";
import type { PaymentContext } from "../checkout/provider.ts";
import { settlePayment } from "../checkout/settle.ts";
import type { Database } from "../db/database.ts";
import { alreadyActiveError, ApiError, detailError, notFoundError } from "../http/errors.ts";
import { isUuid } from "../http/ids.ts";
import type { WriteContext } from "../http/write.ts";
import { localDate } from "#contract/process/local-day.ts";
import { findSellerIdOf } from "../subscriptions/store.ts";
import { recognizeDocument } from "../verification/document.ts";
import {
  findRecorded,
  insertPhoto,
  insertRecorded,
  lockPayment,
  needsApproval,
  selectRecorded,
  selectRefunds,
  updateDecision,
  type RecordedRow,
} from "./recorded-store.ts";

type Write = Pick<WriteContext, "database" | "seller" | "clock">;

/**
 * What can be recorded for a subscription now, and its recorded payments.
 * @throws 404
 */
export async function readOwed(
  write: Write,
  payments: PaymentContext,
  subscriptionId: string,
): Promise<OwedPayment> {
  const { database, seller } = write;
  const checkout = await lockOwnCheckout(write, subscriptionId);
  const { subscription, amount } = checkout;
  const filter = { subscription_id: subscriptionId };
  const recorded = await selectRecorded(database, seller.seller_id, filter, MOST_SHOWN);
  const refusal = refusalOf(checkout, recorded);
  return {
    refusal,
    owed:
      refusal === null
        ? {
            amount: amount.total,
            vat: amount.vat,
            currency: subscription.currency,
            period_start: subscription.next_billing_cycle?.toISOString() ?? null,
            is_early: canPayEarly(subscription),
            needs_approval: await needsApproval(database, seller.seller_id, amount.total),
          }
        : null,
    recorded,
    refunds: await selectRefunds(database, payments, seller.seller_id, filter, MOST_SHOWN),
  };
}

const MOST_SHOWN = 50;

/**
 * Records a payment that came without the checkout. It counts at once, as a payment at the
 * checkout does, or waits for a second member.
 */
export async function recordPayment(
  write: Write,
  subscriptionId: string,
  { photo, by, ...input }: RecordPayment,
): Promise<RecordedPayment> {
  const { database, seller, clock } = write;
  const checkout = await lockOwnCheckout(write, subscriptionId);
  const filter = { subscription_id: subscriptionId };
  const refusal = refusalOf(
    checkout,
    await selectRecorded(database, seller.seller_id, filter, MOST_SHOWN),
  );
  if (refusal !== null) throw detailError(409, refusal);
  const { subscription, amount } = checkout;
  const period_start = input.period_start === null ? null : new Date(input.period_start);
  if (period_start?.getTime() !== subscription.next_billing_cycle?.getTime())
    throw detailError(409, PAID_MEANWHILE);
  requireWholeAmount(input.amount, checkout);
  requireDay(input.received_on, checkout);
  const waits = await needsApproval(database, seller.seller_id, amount.total);
  const recorded_id = randomUUID();
  const row = {
    ...input,
    recorded_id,
    subscription_id: subscription.subscription_id,
    amount: amount.total,
    currency: subscription.currency,
    schedule: subscription.schedule,
    period_start,
    photo_id: photo === undefined ? null : await keepPhoto(write, photo),
    by,
    recorded_at: clock(),
    payment_id: waits ? null : await count(database, checkout, input),
  };
  await insertRecorded(database, seller.seller_id, row);
  return requireRecorded(write, recorded_id);
}

export async function approvePayment(write: Write, id: string, by: DoneBy) {
  const { row, checkout } = await lockRecorded(write, id);
  if (row.state !== "waiting") throw detailError(409, DECIDED);
  if (row.recorded_by_id === by.id)
    throw detailError(
      409,
      "Whoever recorded a payment does not approve it. Ask another member.",
    );
  const { subscription, amount } = checkout;
  const isOwed =
    isStillOwed(row, subscription) && (isPayable(subscription) || canPayEarly(subscription));
  if (!isOwed)
    throw detailError(
      409,
      "This payment is no longer owed: the subscription was paid, or its billing date was moved, in the meantime. Decline the payment, and give the money back to the buyer.",
    );
  if (row.amount !== amount.total)
    throw detailError(
      409,
      `The amount owed is now ${subscription.currency} ${amount.total}. Decline this payment, and record a new one of that amount.`,
    );
  const payment_id = await count(write.database, checkout, row);
  await decide(write, row, { state: "counted", by, reason: null, payment_id });
  return requireRecorded(write, id);
}

export async function declinePayment(write: Write, id: string, by: DoneBy, reason: string) {
  const { row } = await lockRecorded(write, id);
  if (row.state !== "waiting") throw detailError(409, DECIDED);
  await decide(write, row, { state: "declined", by, reason, payment_id: null });
  return requireRecorded(write, id);
}

/** Declares that a counted payment was not made; the subscription itself stays as it is. */
export async function reversePayment(write: Write, id: string, by: DoneBy, reason: string) {
  const { database, seller, clock } = write;
  const { row } = await lockRecorded(write, id);
  if (row.state !== "counted" || row.payment_id === null)
    throw detailError(
      409,
      "Only a payment that counts can be taken back. Nothing was changed.",
    );
  const payment = await lockPayment(database, seller.seller_id, row.payment_id);
  if (payment?.has_refunds)
    throw detailError(
      409,
      "This payment has a refund, so its money did come. End the open refund first.",
    );
  await database.query(
    "update payment set reversed_at = $3 where seller_id = $1 and payment_id = $2",
    [seller.seller_id, row.payment_id, clock()],
  );
  await decide(write, row, { state: "reversed", by, reason, payment_id: row.payment_id });
  return requireRecorded(write, id);
}

const PAID_MEANWHILE =
  "The subscription was paid, or its billing date was moved, in the meantime. Nothing was recorded. Read again what is owed.";
const DECIDED = "This payment no longer waits for approval: somebody decided in the meantime.";

/** The checkout of the seller's own subscription, locked. @throws 404 */
async function lockOwnCheckout(
  { database, seller, clock }: Write,
  subscriptionId: string,
): Promise<LockedCheckout> {
  const owner = isUuid(subscriptionId) ? await findSellerIdOf(database, subscriptionId) : null;
  if (owner !== seller.seller_id) throw notFoundError();
  const now = clock();
  return lockCheckout(database, subscriptionId, now, now);
}

/** A recorded payment, read under the lock of its subscription. @throws 404 */
async function lockRecorded(
  write: Write,
  id: string,
): Promise<{ row: RecordedRow; checkout: LockedCheckout }> {
  const place = await requireRecordedRow(write, id);
  const checkout = await lockOwnCheckout(write, place.subscription_id);
  return { checkout, row: await requireRecordedRow(write, id) };
}

async function requireRecordedRow({ database, seller }: Write, id: string) {
  const row = isUuid(id) ? await findRecorded(database, seller.seller_id, id) : null;
  if (!row) throw notFoundError();
  return row;
}

async function requireRecorded(
  { database, seller }: Write,
  recorded_id: string,
): Promise<RecordedPayment> {
  const [row] = await selectRecorded(database, seller.seller_id, { recorded_id }, 1);
  if (!row) throw notFoundError();
  return row;
}

/** Why no payment can be recorded; null if one can. */
function refusalOf(
  { subscription }: LockedCheckout,
  recorded: readonly RecordedPayment[],
): string | null {
  if (recorded.some(({ state }) => state === "waiting"))
    return "A payment for this subscription already waits for approval.";
  if (isPayable(subscription) || canPayEarly(subscription)) return null;
  if (subscription.is_one_time) return "This one-time purchase is paid.";
  return subscription.status === "pending_cancellation"
    ? "This subscription ends with its period, so nothing more is owed. Undo the cancellation first."
    : "This subscription has ended, so nothing is owed. Create a new one and record the payment there.";
}

function requireWholeAmount(given: string, { subscription, amount }: LockedCheckout) {
  if (totalAmount([{ amount: given, count: 1 }]) === amount.total) return;
  const total = `${subscription.currency} ${amount.total}`;
  throw new ApiError(400, {
    amount: [
      `The amount owed is ${total}; record exactly that. If the buyer paid less, record it when the rest has come; if they paid more, record ${total} and give the rest back.`,
    ],
  });
}

function requireDay(day: string, { seller, subscription, now }: LockedCheckout) {
  const refuse = (text: string) => new ApiError(400, { received_on: [text] });
  if (day > localDate(now, seller.time_zone).toString())
    throw refuse("This day is in the future.");
  if (day < localDate(subscription.created_at, seller.time_zone).toString())
    throw refuse("The subscription was made after this day.");
}

async function keepPhoto({ database, seller, clock }: Write, text: string): Promise<string> {
  const content = Buffer.from(text, "base64");
  if (content.length > MAX_DOCUMENT_BYTES)
    throw new ApiError(400, { photo: ["Upload at most 5 MB."] });
  const recognized = recognizeDocument(content);
  if ("problem" in recognized) throw new ApiError(400, { photo: [recognized.problem] });
  const photo_id = randomUUID();
  const photo = { photo_id, content, ...recognized, uploaded_at: clock() };
  await insertPhoto(database, seller.seller_id, photo);
  return photo_id;
}

/** Counts what is owed as paid, as the checkout does. @returns the payment's id */
async function count(
  database: Database,
  checkout: LockedCheckout,
  { method }: Pick<RecordPayment, "method">,
): Promise<string> {
  const payment_id = randomUUID();
  const outcome = await settlePayment(database, checkout, { method, payment_id });
  if (outcome === "duplicate") throw alreadyActiveError();
  if (outcome === "refused") throw detailError(409, PAID_MEANWHILE);
  return payment_id;
}

const decide = (
  { database, seller, clock }: Write,
  { recorded_id }: RecordedRow,
  decision: Omit<Parameters<typeof updateDecision>[2], "recorded_id" | "at">,
) => updateDecision(database, seller.seller_id, { ...decision, recorded_id, at: clock() });

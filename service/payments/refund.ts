import type { DoneBy, Refund, RequestRefund } from "#contract/recorded-payments.ts";
import { selectCharge, wakePayments } from "../checkout/charges/store.ts";
import { openAccountOf, portalOf, type PaymentContext } from "../checkout/provider.ts";
import { queryRow } from "../db/database.ts";
import { ApiError, detailError, notFoundError } from "../http/errors.ts";
import { isUuid } from "../http/ids.ts";
import type { WriteContext } from "../http/write.ts";
import { closeRefundTask, completeRefund } from "../refunds/complete.ts";
import {
  insertRefund,
  lockRefund,
  selectRefund,
  updateRefund,
  type RefundRow,
} from "../refunds/store.ts";
import { lockPayment, selectRefunds } from "./recorded-store.ts";

type Write = Pick<WriteContext, "database" | "seller" | "clock">;

/**
 * Begins to give back a payment or a part of it: the provider that the buyer paid with makes the
 * refund where it can; else a person makes it, and confirms it.
 */
export async function requestRefund(
  write: Write,
  payments: PaymentContext,
  paymentId: string,
  { amount, reason, by }: RequestRefund,
): Promise<Refund> {
  const { database, seller, clock } = write;
  if (!isUuid(paymentId)) throw notFoundError();
  // Locked before the payment, in the same order as when an answer about the charge is recorded.
  const charge = await lockPaidCharge(write, paymentId);
  const payment = await lockPayment(database, seller.seller_id, paymentId);
  if (!payment) throw notFoundError();
  if (payment.is_reversed)
    throw detailError(409, "This payment was taken back: no money came, so none goes back.");
  const isPossible = await queryRow(
    database,
    "select 1 where $1::numeric > 0 and $1::numeric <= $2::numeric",
    [amount, payment.left],
  );
  if (!isPossible)
    throw new ApiError(400, {
      amount: [`Give back more than nothing, and at most ${payment.left}.`],
    });
  const way = await findWay(write, payments, charge);
  const refund_id = await insertRefund(database, {
    seller_id: seller.seller_id,
    subscription_id: payment.subscription_id,
    payment_id: paymentId,
    charge_id: charge?.charge_id ?? null,
    amount,
    asked: { by, reason },
    ...way,
    requested_at: clock(),
  });
  await database.query(
    "update payment set refunds = refunds + $3 where seller_id = $1 and payment_id = $2",
    [seller.seller_id, paymentId, amount],
  );
  if (way.state === "owed") await wakePayments(database);
  else if (charge) await watchCharge(write, payments, charge.charge_id);
  return requireRefund(write, payments, refund_id ?? "");
}

interface PaidCharge {
  charge_id: string;
  account_id: number | null;
}

/**
 * The charge at a provider by which a payment was made, locked; null for a payment made another way,
 * or before charges were stored.
 */
const lockPaidCharge = ({ database, seller }: Write, paymentId: string) =>
  queryRow<PaidCharge>(
    database,
    `select c.charge_id, c.account_id from payment p join charge c using (seller_id, attempt_id)
     where p.seller_id = $1 and p.payment_id = $2 and c.is_booked for key share of c`,
    [seller.seller_id, paymentId],
  );

/**
 * Decides who makes the refund. The worker asks the adapter later, for example about partial
 * refunds.
 */
async function findWay(
  write: Write,
  payments: PaymentContext,
  charge: PaidCharge | null,
): Promise<Pick<Parameters<typeof insertRefund>[1], "state" | "place" | "next_at">> {
  const by_hand = { state: "by_hand", place: null, next_at: null } as const;
  if (!charge || charge.account_id === null) return by_hand;
  const by = await openAccountOf(write.database, payments, charge.account_id);
  if (!by) return by_hand;
  if (by.adapter.can.refund === "none") return { ...by_hand, place: portalOf(by) };
  return { state: "owed", place: null, next_at: payments.now() };
}

/**
 * Has the provider asked about the charge in an hour, unless that is planned already: the answer can
 * show a refund that a person made there.
 */
const watchCharge = ({ database, seller }: Write, { now }: PaymentContext, chargeId: string) =>
  database.query(
    `update charge set next_at = coalesce(next_at, $2::timestamptz + interval '1 hour')
     where seller_id = $3 and charge_id = $1 and account_id is not null`,
    [chargeId, now(), seller.seller_id],
  );

/** Ends a refund once a person has made it. */
export async function confirmRefund(
  write: Write,
  payments: PaymentContext,
  id: string,
  by: DoneBy,
  reference: string,
): Promise<Refund> {
  const refund = await lockDecided(write, payments, id);
  const at = write.clock();
  await completeRefund(write.database, refund, { at, by: { name: by.name, reference } });
  return requireRefund(write, payments, refund.refund_id);
}

/** Ends a refund that will not be made; its amount can be refunded again. */
export async function refuseRefund(
  write: Write,
  payments: PaymentContext,
  id: string,
  by: DoneBy,
  reason: string,
): Promise<Refund> {
  const { database, seller, clock } = write;
  const refund = await lockDecided(write, payments, id);
  const { refund_id, payment_id, amount } = refund;
  if (payment_id === null)
    throw detailError(
      409,
      "This money was not owed, so it goes back. Give it back, and confirm it with a reference.",
    );
  await database.query(
    `update refund set state = 'refused', refusal = $3, ended_by = $4, ended_at = $5
     where seller_id = $1 and refund_id = $2`,
    [seller.seller_id, refund_id, reason, by.name, clock()],
  );
  await database.query(
    "update payment set refunds = refunds - $3 where seller_id = $1 and payment_id = $2",
    [seller.seller_id, payment_id, amount],
  );
  await closeRefundTask(database, refund, clock());
  return requireRefund(write, payments, refund_id);
}

/** Lets the provider try a refused refund again. */
export async function retryRefund(
  write: Write,
  payments: PaymentContext,
  id: string,
): Promise<Refund> {
  const { database } = write;
  const refund = await lockOwn(write, payments, id);
  if (refund.state !== "refused" || refund.ended_at !== null)
    throw detailError(409, "Only a refund that the provider refused can be tried again.");
  await updateRefund(database, refund, {
    state: "owed",
    next_at: payments.now(),
  });
  await closeRefundTask(database, refund, write.clock());
  await wakePayments(database);
  return requireRefund(write, payments, refund.refund_id);
}

/** Leaves to a person a refund that the provider refused or has not begun. */
export async function refundByHand(
  write: Write,
  payments: PaymentContext,
  id: string,
): Promise<Refund> {
  const { database, seller } = write;
  const key = { seller_id: seller.seller_id, refund_id: id };
  const charge_id = (isUuid(id) ? await selectRefund(database, key) : null)?.charge_id ?? null;
  // Locked before the refund, in the same order as when an answer about the charge is recorded.
  if (charge_id !== null) await watchCharge(write, payments, charge_id);
  const refund = await lockOwn(write, payments, id);
  const isOpen = refund.ended_at === null;
  if (!isOpen || !["refused", "owed"].includes(refund.state))
    throw detailError(409, isOpen ? AT_PROVIDER : ENDED);
  const charge = charge_id === null ? null : await selectCharge(database, charge_id);
  const place = portalOf(await openAccountOf(database, payments, charge?.account_id ?? null));
  await updateRefund(database, refund, { state: "by_hand", place, next_at: null });
  return requireRefund(write, payments, refund.refund_id);
}

const ENDED = "This refund has already ended.";
const AT_PROVIDER = "The provider makes this refund; it ends with the provider's answer.";

/** A refund that waits for a person. @throws 409 for any other */
async function lockDecided(
  write: Write,
  payments: PaymentContext,
  id: string,
): Promise<RefundRow> {
  const refund = await lockOwn(write, payments, id);
  const { state, ended_at } = refund;
  if (ended_at !== null) throw detailError(409, ENDED);
  if (state !== "by_hand" && state !== "refused") throw detailError(409, AT_PROVIDER);
  return refund;
}

/** @throws 404 */
async function lockOwn(write: Write, payments: PaymentContext, id: string): Promise<RefundRow> {
  const { id: refund_id } = await requireRefund(write, payments, id);
  const { seller_id } = write.seller;
  const refund = await lockRefund(write.database, { seller_id, refund_id });
  if (!refund) throw notFoundError();
  return refund;
}

async function requireRefund(
  { database, seller }: Write,
  payments: PaymentContext,
  refund_id: string,
): Promise<Refund> {
  const [refund] = isUuid(refund_id)
    ? await selectRefunds(database, payments, seller.seller_id, { refund_id }, 1)
    : [];
  if (!refund) throw notFoundError();
  return refund;
}

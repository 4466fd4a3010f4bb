import { randomUUID } from "node:crypto";
import type { DoneBy, Refund, RequestRefund } from "#contract/recorded-payments.ts";
import { queryRow } from "../db/database.ts";
import { ApiError, detailError, notFoundError } from "../http/errors.ts";
import { isUuid } from "../http/ids.ts";
import type { WriteContext } from "../http/write.ts";
import { lockPayment, selectRefunds } from "./recorded-store.ts";

type Write = Pick<WriteContext, "database" | "seller" | "clock">;

/**
 * Begins to give back a payment or a part of it. No provider does it yet, so a person has to, and
 * to confirm it.
 */
export async function requestRefund(
  write: Write,
  paymentId: string,
  { amount, reason, by }: RequestRefund,
): Promise<Refund> {
  const { database, seller, clock } = write;
  const payment = isUuid(paymentId)
    ? await lockPayment(database, seller.seller_id, paymentId)
    : null;
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
  const refund_id = randomUUID();
  await database.query(
    `insert into refund (refund_id, seller_id, payment_id, amount, reason, state, requested_by_id,
       requested_by, requested_at)
     values ($1, $2, $3, $4, $5, 'by_hand', $6, $7, $8)`,
    [refund_id, seller.seller_id, paymentId, amount, reason, by.id, by.name, clock()],
  );
  await database.query(
    "update payment set refunds = refunds + $3 where seller_id = $1 and payment_id = $2",
    [seller.seller_id, paymentId, amount],
  );
  return requireRefund(write, refund_id);
}

type End = { reference: string } | { refusal: string };

/** Ends a refund that a person makes: it was made, or it is not made. */
export async function endRefund(
  write: Write,
  id: string,
  by: DoneBy,
  end: End,
): Promise<Refund> {
  const { database, seller, clock } = write;
  const { payment_id } = await requireRefund(write, id);
  await lockPayment(database, seller.seller_id, payment_id);
  const refund = await requireRefund(write, id);
  if (refund.state !== "by_hand")
    throw detailError(
      409,
      refund.state === "done" || refund.state === "refused"
        ? "This refund has ended: somebody was faster."
        : "The provider makes this refund; it ends with the provider's answer.",
    );
  const isDone = "reference" in end;
  await database.query(
    `update refund set state = $3, reference = $4, refusal = $5, ended_by = $6, ended_at = $7
     where seller_id = $1 and refund_id = $2`,
    [
      seller.seller_id,
      id,
      isDone ? "done" : "refused",
      isDone ? end.reference : null,
      isDone ? null : end.refusal,
      by.name,
      clock(),
    ],
  );
  await database.query(
    isDone
      ? "update payment set refunded = refunded + $3 where seller_id = $1 and payment_id = $2"
      : "update payment set refunds = refunds - $3 where seller_id = $1 and payment_id = $2",
    [seller.seller_id, payment_id, refund.amount],
  );
  return requireRefund(write, id);
}

async function requireRefund({ database, seller }: Write, refund_id: string): Promise<Refund> {
  const [refund] = isUuid(refund_id)
    ? await selectRefunds(database, seller.seller_id, { refund_id }, 1)
    : [];
  if (!refund) throw notFoundError();
  return refund;
}

import { hundredths } from "#contract/amount.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import { queryValue, type Database } from "../../db/database.ts";
import { closeTask, openTask, type NewTask } from "../../payment-tasks/tasks.ts";
import type { InquiryAnswer } from "../../providers/provider.ts";
import { completeRefund } from "../../refunds/complete.ts";
import { insertRefund } from "../../refunds/store.ts";
import { emitEvents } from "../../subscriptions/emit-events.ts";
import { selectCharge, takenAmount, type Charge } from "./store.ts";

/**
 * Opens and closes the tasks that follow from an answer, in the transaction that recorded it.
 * @param before the charge as it was when the answer came
 * @param at the seller's time
 */
export async function keepTasks(
  database: Database,
  before: Charge,
  answer: InquiryAnswer,
  at: Date,
): Promise<void> {
  if (before.state === "approved") await keepTasksOfApproved(database, before, answer, at);
  else await keepHeldTask(database, before, at);
}

/**
 * Opens or closes the task of a charge as its state now requires.
 * @param at the seller's time
 */
export async function keepHeldTask(
  database: Database,
  before: Charge,
  at: Date,
): Promise<void> {
  const after = await selectCharge(database, before.charge_id);
  if (!after || ![before.state, after.state].includes("held")) return;
  const task = { ...subjectOf(after), kind: "held", at } as const;
  if (after.state === "held")
    await openTask(database, {
      ...task,
      answered_amount: after.answered_amount,
      answered_currency: after.answered_currency,
      detail: after.answer,
    });
  else await closeTask(database, task, { at, by: null, decision: "settled" });
}

const subjectOf = (charge: Charge) => ({
  seller_id: charge.seller_id,
  charge_id: charge.charge_id,
  subscription_id: charge.subscription_id,
  account_id: charge.account_id,
  reference: charge.reference,
  amount: charge.amount,
  currency: charge.currency,
});

async function keepTasksOfApproved(
  database: Database,
  charge: Charge,
  answer: InquiryAnswer,
  at: Date,
) {
  if (answer.state === "pending") return;
  const hasWon = "dispute" in answer && answer.dispute?.state === "won";
  const task = { ...subjectOf(charge), payment_id: await findPaymentId(database, charge), at };
  const settle = (kind: "denied" | "disputed") =>
    closeTask(database, { ...task, kind }, { at, by: null, decision: "settled" });
  if (hasWon || answer.state === "approved") await settle("disputed");
  switch (answer.state) {
    case "approved":
      await settle("denied");
      return;
    case "held":
      return keepDoubt(database, task, charge, answer);
    case "failed":
    case "left": {
      const detail = answer.state === "failed" ? answer.reason : "left";
      await openTask(database, { ...task, kind: "denied", detail });
      return;
    }
    case "refunded": {
      const amount = answer.amount ?? takenAmount(charge);
      if (!(await isBeyond(database, charge, amount))) return;
      const { payment_id } = task;
      if (payment_id !== null)
        await countRefunded(database, charge, { amount, payment_id, at });
      await openTask(database, {
        ...task,
        kind: "refunded_by_provider",
        answered_amount: amount,
        answered_currency: charge.currency,
      });
    }
  }
}

/** Opens a task about a charge that was approved and has another state now. */
async function keepDoubt(
  database: Database,
  task: Omit<NewTask, "kind">,
  charge: Charge,
  { word, amount, dispute }: Extract<InquiryAnswer, { state: "held" }>,
) {
  if (dispute?.state === "won") return;
  const isRefund = /refund/i.test(word);
  // If a bank only inquires about a payment, it keeps nothing back.
  const isAsked = dispute?.state === "open" && hundredths(dispute.taken) === 0n;
  const detail = dispute?.state === "lost" ? "lost" : isAsked ? "asked" : word;
  // Some providers do not say how much of the charge went back.
  if (isRefund && !(await isBeyond(database, charge, "0.01"))) return;
  const kind = isRefund ? "refunded_by_provider" : word === "disputed" ? "disputed" : "denied";
  const told = amount !== undefined && {
    answered_amount: amount,
    answered_currency: charge.currency,
  };
  const isNew = await openTask(database, { ...task, ...told, kind, detail });
  const { payment_id = null } = task;
  if (isNew && kind === "disputed" && charge.dispute === null && payment_id !== null)
    await tellDispute(database, charge, { payment_id, amount: amount ?? null, at: task.at });
}

async function tellDispute(
  database: Database,
  { seller_id, subscription_id, currency, reference }: Charge,
  { payment_id, amount, at }: { payment_id: string; amount: string | null; at: Date },
) {
  const status = await queryValue<SubscriptionStatus>(
    database,
    "select status from subscription where seller_id = $1 and subscription_id = $2",
    [seller_id, subscription_id],
  );
  if (status === null) return;
  await emitEvents(database, {
    seller_id,
    subscription_id,
    events: ["payment.disputed"],
    old_status: status,
    new_status: status,
    reason: "disputed",
    details: { payment_id, amount, currency, provider_reference: reference, disputed_at: at },
    created_at: at,
  });
}

/** The payment that the charge pays; null if it pays nothing. */
const findPaymentId = (database: Database, { is_booked, seller_id, attempt_id }: Charge) =>
  is_booked
    ? queryValue<string>(
        database,
        "select payment_id from payment where seller_id = $1 and attempt_id = $2",
        [seller_id, attempt_id],
      )
    : null;

/** Counts a refund that the provider made itself. */
async function countRefunded(
  database: Database,
  { charge_id, seller_id, subscription_id, refunded_amount }: Charge,
  { amount, payment_id, at }: { amount: string; payment_id: string; at: Date },
) {
  const more = await queryValue<string>(
    database,
    `update payment p set refunds = refunds + more
     from (select least(p.amount - p.refunds,
         $2::numeric - greatest($3::numeric, (select sum(amount) from refund
           where seller_id = $5 and charge_id = $4
             and (ended_at is null or state = 'done')), 0)) as more
       from payment p where p.seller_id = $5 and p.payment_id = $1 for update) m
     where p.seller_id = $5 and p.payment_id = $1 and more > 0 returning more::text`,
    [payment_id, amount, refunded_amount, charge_id, seller_id],
  );
  const refund = { seller_id, subscription_id, payment_id, charge_id, amount: more ?? "" };
  const refundId =
    more &&
    (await insertRefund(database, {
      ...refund,
      asked: "provider",
      state: "owed",
      place: null,
      next_at: null,
      requested_at: at,
    }));
  if (refundId) await completeRefund(database, { seller_id, refund_id: refundId }, { at });
}

/** Whether more money went back than the provider said before and than this service gave back. */
const isBeyond = (database: Database, charge: Charge, amount: string) =>
  queryValue<boolean>(
    database,
    `select $2::numeric > greatest($3::numeric, (select sum(amount) from refund
       where seller_id = $4 and charge_id = $1 and (ended_at is null or state = 'done')), 0)`,
    [charge.charge_id, amount, charge.refunded_amount, charge.seller_id],
  );

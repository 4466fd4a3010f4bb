import { hundredths } from "#contract/amount.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import { queryRow, type Database } from "../db/database.ts";
import { closeTask, openTask } from "../payment-tasks/tasks.ts";
import { emitEvents } from "../subscriptions/emit-events.ts";
import {
  insertFailedAgain,
  lockOpenRefunds,
  lockRefund,
  updateNextRefund,
  selectRefunded,
  type RefundKey,
  type RefundRow,
} from "./store.ts";

interface End {
  /** Time of the seller's clock. */
  at: Date;
  /** The person who made the refund, and its reference; left out if the provider made it. */
  by?: { name: string; reference: string };
  provider_refund_id?: string | null;
}

/**
 * The only place where a refund becomes done, and so where it is booked: in the caller's
 * transaction, once, whether the worker, the provider's answer about the charge or a person ends it
 * first. The payment counts it as given back, and an event says so; an attempt whose money was not
 * owed ends without an event, because no event announced that money.
 * @returns the refund as it was before; null if it had ended already, and then nothing changes
 */
export async function completeRefund(
  database: Database,
  key: RefundKey,
  end: End,
): Promise<RefundRow | null> {
  const { at, by, provider_refund_id = null } = end;
  const refund = await lockRefund(database, key);
  if (!refund || refund.ended_at !== null) return null;
  await database.query(
    `update refund set state = 'done', ended_at = $2, ended_by = $3, reference = $4,
       provider_refund_id = coalesce($5, provider_refund_id), next_at = null, refusal = null,
       is_uncertain = false
     where seller_id = $6 and refund_id = $1`,
    [
      refund.refund_id,
      at,
      by?.name ?? null,
      by?.reference ?? null,
      provider_refund_id,
      refund.seller_id,
    ],
  );
  if (refund.payment_id === null) await endReturning(database, refund);
  else await tellRefund(database, { ...refund, payment_id: refund.payment_id }, end);
  await closeRefundTask(database, refund, at);
  return refund;
}

/** Counts a refund at its payment, or takes it from there, and emits its event. */
async function tellRefund(
  database: Database,
  refund: RefundRow & { payment_id: string },
  { at, by, provider_refund_id, hasFailed = false }: End & { hasFailed?: boolean },
) {
  const { seller_id, subscription_id, refund_id, payment_id, amount, cause } = refund;
  const told = await queryRow<{
    currency: string;
    payment_left: string;
    status: SubscriptionStatus;
  }>(
    database,
    `update payment p set refunded = p.refunded + case when $4 then -$3::numeric else $3 end
     from subscription s
     where p.seller_id = $1 and p.payment_id = $2 and s.seller_id = p.seller_id
       and s.subscription_id = p.subscription_id
     returning p.currency, (p.amount - p.refunded)::text as payment_left, s.status`,
    [seller_id, payment_id, amount, hasFailed],
  );
  if (!told) return;
  const { currency, payment_left, status } = told;
  const isByHand = by !== undefined || refund.state === "by_hand" || refund.state === "refused";
  await emitEvents(database, {
    seller_id,
    subscription_id,
    events: [hasFailed ? "payment.refund_failed" : "payment.refunded"],
    old_status: status,
    new_status: status,
    reason: cause,
    details: {
      refund_id,
      payment_id,
      amount,
      currency,
      payment_left,
      way: cause === "provider" ? "provider" : isByHand ? "by_hand" : "api",
      reference: by?.reference ?? provider_refund_id ?? refund.provider_refund_id,
      refunded_at: refund.ended_at ?? at,
    },
    created_at: at,
  });
}

/**
 * Records that a refund that the provider had made has failed, in the caller's transaction, which
 * has locked the refund and its charge: the money is owed again, and a person has to decide.
 * @param refusal what the provider says of it
 * @param at the seller's time
 */
export async function recordFailedRefund(
  database: Database,
  refund: RefundRow,
  { refusal, at }: { refusal: string; at: Date },
): Promise<void> {
  const { seller_id, payment_id, charge_id, subscription_id, amount } = refund;
  const again = await insertFailedAgain(database, refund, { refusal, at });
  // The amount that the provider reported includes the failed refund; a later answer reports it
  // again once it is made.
  const charge = await queryRow<{ currency: string; account_id: number | null }>(
    database,
    `update charge set refunded_amount = null where seller_id = $1 and charge_id = $2
     returning currency, account_id, reference`,
    [seller_id, charge_id],
  );
  if (payment_id !== null)
    await tellRefund(database, { ...refund, payment_id }, { at, hasFailed: true });
  else
    await database.query(
      `update checkout_attempt set state = 'returning' where seller_id = $2 and state = 'returned'
         and attempt_id = (
           select attempt_id from charge where seller_id = $2 and charge_id = $1)`,
      [charge_id, seller_id],
    );
  await openTask(database, {
    ...charge,
    seller_id,
    kind: "refund_refused",
    refund_id: again,
    payment_id,
    subscription_id,
    amount,
    detail: refusal,
    at,
  });
}

/** Ends the task of a refund that a person decides about. */
export const closeRefundTask = (
  database: Database,
  { seller_id, refund_id }: Pick<RefundRow, "seller_id" | "refund_id">,
  at: Date,
) =>
  closeTask(
    database,
    { seller_id, refund_id, kind: "refund_refused" },
    { at, by: null, decision: "settled" },
  );

/** Ends the attempt once all of its money that was not owed is given back. */
const endReturning = (database: Database, { charge_id, seller_id }: RefundRow) =>
  database.query(
    `update checkout_attempt a set state = 'returned'
     where seller_id = $2 and state = 'returning'
       and attempt_id = (select attempt_id from charge where seller_id = $2 and charge_id = $1)
       and not exists (select from charge c join refund r using (seller_id, charge_id)
         where c.seller_id = $2 and c.attempt_id = a.attempt_id and r.payment_id is null and r.ended_at is null)`,
    [charge_id, seller_id],
  );

/**
 * Ends the open refunds that explain what a provider says went back of a charge, which the caller
 * has locked: one with that amount, or else all if they add up to it.
 * @param told all that went back so far, as decimal text
 * @param at the seller's time
 * @param clock the real time
 * @param isAsked whether the provider is asked about refunds that were sent or are under way, so
 * that its answer about those ends them
 * @returns whether a refund is still open
 */
export async function completeShownRefunds(
  database: Database,
  charge: { seller_id: number; charge_id: string },
  { told, isAsked, at, clock }: { told: string; isAsked: boolean; at: Date; clock: Date },
): Promise<boolean> {
  const open = await lockOpenRefunds(database, charge);
  const units = (text: string) => hundredths(text) ?? 0n;
  const sum = (refunds: readonly RefundRow[]) =>
    refunds.reduce((total, { amount }) => total + units(amount), 0n);
  const waiting = open.filter(({ state }) => isAsked && ["sent", "under_way"].includes(state));
  const others = open.filter((refund) => !waiting.includes(refund));
  const more = units(told) - units(await selectRefunded(database, charge));
  // The provider's amount may already include the refunds that were sent or are under way.
  if (more <= 0n || more === sum(waiting)) return open.length > 0;
  const [shown = []] = [more, more - sum(waiting)].flatMap((amount) => {
    const one = others.find((refund) => units(refund.amount) === amount);
    return one ? [[one]] : amount === sum(others) && amount > 0n ? [others] : [];
  });
  for (const refund of shown) {
    await completeRefund(database, refund, { at });
    // The refund can still fail.
    if (isAsked && refund.provider_refund_id !== null)
      await updateNextRefund(database, refund, clock);
  }
  return open.length > shown.length;
}

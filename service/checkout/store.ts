import type { BillKind, CheckoutMethod, PaymentMethod } from "#contract/names.ts";
import { queryRow, queryRows, type Database } from "../db/database.ts";
import { sellerAt } from "../sellers/store.ts";
import type { EmittedPayment } from "../subscriptions/emit-events.ts";
import type { SubscriptionRow } from "../subscriptions/store.ts";

export interface Attempt {
  attempt_id: string;
  seller_id: number;
  subscription_id: string;
  method: CheckoutMethod;
  /** The account it is paid to; null for the sandbox's wallet and bank. */
  account_id: number | null;
  /** Empty where no code was asked for. */
  code_hash: Buffer;
  wrong_codes: number;
  /** The state; `returning` means approved but no longer owed, so that it is being refunded. */
  state: "open" | "spent" | "pending" | "paid" | "failed" | "returning" | "returned";
  created_at: Date;
  /** When the code expires; the provider has its own limit. */
  expires_at: Date;
  /** The agreed billing period, and its start, which is null before the first payment. */
  pbp_id: string;
  period_start: Date | null;
  schedule: number;
  /** The charged amount; null until the attempt is handed to the provider. */
  amount: string | null;
  /** The tax inside the amount; null when none applies. */
  vat: string | null;
  currency: string | null;
  /** The reference of the charge that paid; before that, of the newest charge. */
  provider_reference: string | null;
  /** When the sandbox times the payment out, on the seller's clock; null for all others. */
  provider_expires_at: Date | null;
  reason: string | null;
  /** The payment it led to, by the seller's clock; both null until then. */
  payment_id: string | null;
  paid_at: Date | null;
}

export type AttemptPayment = Pick<
  Attempt,
  "payment_id" | "paid_at" | "currency" | "amount" | "vat" | "account_id"
> & {
  method: PaymentMethod;
};

export const insertAttempt = (
  database: Database,
  { seller_id, subscription_id, pbp_id, next_billing_cycle, schedule }: SubscriptionRow,
  attempt: Pick<
    Attempt,
    "attempt_id" | "method" | "account_id" | "code_hash" | "created_at" | "expires_at"
  >,
) =>
  database.query(
    `insert into checkout_attempt (attempt_id, seller_id, subscription_id, method, code_hash,
       created_at, expires_at, pbp_id, period_start, schedule, account_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      attempt.attempt_id,
      seller_id,
      subscription_id,
      attempt.method,
      attempt.code_hash,
      attempt.created_at,
      attempt.expires_at,
      pbp_id,
      next_billing_cycle,
      schedule,
      attempt.account_id,
    ],
  );

const ATTEMPT = `select a.attempt_id, a.seller_id, a.subscription_id, a.method, a.code_hash,
  a.wrong_codes, a.state, a.created_at, a.expires_at, a.pbp_id, a.period_start, a.schedule,
  a.amount::text as amount, a.vat::text as vat, a.currency, a.account_id,
  a.provider_reference, a.provider_expires_at, a.reason, p.payment_id, p.paid_at
  from checkout_attempt a left join payment p using (seller_id, attempt_id)`;

/** SQL: the attempts of the subscription in the first parameter. */
const OF_SUBSCRIPTION = `a.seller_id = ${sellerAt("$1")} and a.subscription_id = $1`;

/** Matches the subscription too: an attempt's id opens nothing of another buyer. */
export const selectAttempt = (database: Database, subscriptionId: string, attemptId: string) =>
  queryRow<Attempt>(database, `${ATTEMPT} where ${OF_SUBSCRIPTION} and a.attempt_id = $2`, [
    subscriptionId,
    attemptId,
  ]);

/** Locks the attempt, so that one process at a time can claim a charge for it or end it. */
export const lockAttempt = (
  database: Database,
  { seller_id, attempt_id }: Pick<Attempt, "seller_id" | "attempt_id">,
) =>
  queryRow<Attempt>(
    database,
    `${ATTEMPT} where a.seller_id = $1 and a.attempt_id = $2 for update of a`,
    [seller_id, attempt_id],
  );

/** The attempt with the last code sent, whatever its result; those without a code are left out. */
export const selectNewestAttempt = (database: Database, subscriptionId: string) =>
  queryRow<Attempt>(
    database,
    `${ATTEMPT} where ${OF_SUBSCRIPTION} and a.code_hash <> ''
     order by a.created_at desc, a.attempt_id desc limit 1`,
    [subscriptionId],
  );

/** The payment that led to the current billing date; none if it was rescheduled since. */
export const selectNewestPayment = (
  database: Database,
  { seller_id, subscription_id, schedule }: SubscriptionRow,
) =>
  queryRow<AttemptPayment>(
    database,
    `select p.payment_id, p.paid_at, p.method, p.currency, p.amount::text as amount,
       p.vat::text as vat, a.account_id
     from payment p left join checkout_attempt a using (seller_id, attempt_id)
     where p.seller_id = $1 and p.subscription_id = $2 and p.schedule = $3
       and p.reversed_at is null
     order by p.period_start desc limit 1`,
    [seller_id, subscription_id, schedule],
  );

/**
 * A bill of a payment: only a browser in which the buyer entered a code is led to it, because it names
 * the buyer.
 */
export interface BillLink {
  bill_id: string;
  kind: BillKind;
  label: string;
}

/** The bills of a payment, the first one first. */
export const selectBillLinks = (database: Database, sellerId: number, paymentId: string) =>
  queryRows<BillLink>(
    database,
    `select bill_id, kind, label from bill where seller_id = $1 and payment_id = $2
     order by issued_at, entry_id`,
    [sellerId, paymentId],
  );

/** Up to three attempts about which a provider is still asked, pending ones before failed ones. */
export const selectAskedAttempts = (database: Database, subscriptionId: string) =>
  queryRows<Attempt>(
    database,
    `${ATTEMPT} where ${OF_SUBSCRIPTION} and a.state in ('pending', 'failed') and exists (
       select from charge c where c.seller_id = a.seller_id and c.attempt_id = a.attempt_id and c.account_id is not null
         and c.next_at is not null)
     order by a.state = 'pending' desc, a.created_at desc limit 3`,
    [subscriptionId],
  );

type Place = Pick<Attempt, "created_at" | "attempt_id">;
/** A cursor that sorts before every attempt. */
export const FIRST_CURSOR: Place = {
  created_at: new Date(0),
  attempt_id: "00000000-0000-0000-0000-000000000000",
};

/** Attempts to which the sandbox's wallet or bank still owes an answer or a refund. */
export const selectSandboxUnanswered = (
  database: Database,
  { after, limit }: { after: Place; limit: number },
) =>
  queryRows<Attempt>(
    database,
    `${ATTEMPT} where a.state in ('pending', 'returning') and a.account_id is null
       and (a.created_at, a.attempt_id) > ($1, $2)
     order by a.created_at, a.attempt_id limit $3`,
    [after.created_at, after.attempt_id, limit],
  );

/**
 * Updates an attempt. The caller has locked its subscription; or its row, if it ends a pending attempt
 * none of whose charges is under way.
 */
export const updateAttempt = (database: Database, attempt: Attempt) =>
  database.query(
    `update checkout_attempt set state = $3, wrong_codes = $4, reason = $5, pbp_id = $6,
       amount = $7, vat = $8, currency = $9, provider_reference = $10
     where attempt_id = $1 and seller_id = $2`,
    [
      attempt.attempt_id,
      attempt.seller_id,
      attempt.state,
      attempt.wrong_codes,
      attempt.reason,
      attempt.pbp_id,
      attempt.amount,
      attempt.vat,
      attempt.currency,
      attempt.provider_reference,
    ],
  );

/** Remembers the newest charge of an attempt that is not paid by an earlier one. */
export const noteCharge = (
  database: Database,
  { attempt_id, seller_id }: Pick<Attempt, "attempt_id" | "seller_id">,
  { reference, closes_at }: { reference: string; closes_at: Date | null },
) =>
  database.query(
    `update checkout_attempt set provider_reference = $3, provider_expires_at = $4
     where attempt_id = $1 and seller_id = $2 and state = 'pending'`,
    [attempt_id, seller_id, reference, closes_at],
  );

/** Attempts that were handed over and have no charge that can still pay or has paid. */
export const selectWithoutCharge = (database: Database, before: Date, limit: number) =>
  queryRows<Attempt>(
    database,
    `${ATTEMPT} where a.state = 'pending' and a.account_id is not null and a.created_at <= $1
       and not exists (select from charge c
         where c.seller_id = a.seller_id and c.attempt_id = a.attempt_id
         and c.state in ('claimed', 'open', 'held', 'approved'))
     order by a.created_at limit $2`,
    [before, limit],
  );

export const touchCheckout = (
  database: Database,
  { seller_id, subscription_id }: SubscriptionRow,
  now: Date,
) =>
  database.query(
    `update subscription
     set checkout_activity_at = greatest(coalesce(checkout_activity_at, created_at), $3)
     where seller_id = $1 and subscription_id = $2 and status = 'pending_checkout'`,
    [seller_id, subscription_id, now],
  );

/** Whether no code was asked for, so that anyone with the link may have begun the payment. */
export const isWithoutCode = ({ code_hash }: Pick<Attempt, "code_hash">) =>
  code_hash.length === 0;

/**
 * The number of codes sent in the last hour for any purpose and of payments begun without one; and
 * whether a code was sent just now and is unused.
 */
export async function findSentCodes(
  database: Database,
  subscriptionId: string,
  { hourAgo, justNow }: { hourAgo: Date; justNow: Date },
): Promise<{ ofTheHour: number; hasUnusedNew: boolean }> {
  const codes = await queryRow<{ ofTheHour: number; hasUnusedNew: boolean }>(
    database,
    `select count(*)::int as "ofTheHour",
       coalesce(bool_or(created_at > $3 and state in ('open', 'spent')), false) as "hasUnusedNew"
     from (
       select created_at, state from checkout_attempt
       where seller_id = ${sellerAt("$1")} and subscription_id = $1 and created_at > $2
         and (code_hash <> '' or account_id is not null)
       union all
       select created_at, state from detail_correction
       where seller_id = ${sellerAt("$1")} and subscription_id = $1 and created_at > $2) sent`,
    [subscriptionId, hourAgo, justNow],
  );
  return codes ?? { ofTheHour: 0, hasUnusedNew: false };
}

interface NewPayment extends EmittedPayment {
  period_start: Date;
  attempt_id: string | null;
}

export const insertPayment = (
  database: Database,
  { seller_id, subscription_id, schedule }: SubscriptionRow,
  payment: NewPayment,
) =>
  database.query(
    `insert into payment
       (payment_id, seller_id, subscription_id, schedule, period_start, amount, currency, vat, fee,
        method, paid_at, attempt_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      payment.payment_id,
      seller_id,
      subscription_id,
      schedule,
      payment.period_start,
      payment.amount,
      payment.currency,
      payment.vat,
      payment.fee,
      payment.method,
      payment.paid_at,
      payment.attempt_id,
    ],
  );

import type { DisputeState } from "#contract/names.ts";
import type { HandOver, ProviderDispute } from "../../providers/provider.ts";
import { queryRow, queryRows, type Database } from "../../db/database.ts";
import { OF_ACCOUNT, sellerAt } from "../../sellers/store.ts";
import { BETWEEN_QUESTIONS } from "./schedule.ts";

/** One try of an attempt at a provider; a payment at the checkout comes from exactly one charge. */
export interface Charge {
  charge_id: string;
  attempt_id: string;
  seller_id: number;
  subscription_id: string;
  /** Null for the sandbox's wallet and bank. */
  account_id: number | null;
  /** Null until the provider names it. */
  reference: string | null;
  amount: string;
  currency: string;
  /**
   * claimed: the provider is being asked to begin it, or the request was cut off. unseen: no buyer
   * was sent to it. held: its answer needs a person.
   */
  state: "claimed" | "unseen" | "refused" | "open" | "held" | "failed" | "left" | "approved";
  hand_over: HandOver | null;
  begun_at: Date;
  leased_until: Date | null;
  shown_at: Date | null;
  expires_at: Date | null;
  /** The provider's last answer, as a word. */
  answer: string | null;
  asked_at: Date | null;
  times_asked: number;
  /** When the charge is asked about next; null if never. */
  next_at: Date | null;
  /** Since when the charge is failed, left or held. */
  ended_at: Date | null;
  answered_amount: string | null;
  answered_currency: string | null;
  transaction_id: string | null;
  fee: string | null;
  approved_at: Date | null;
  /** Whether this charge paid its attempt; any other approved charge is refunded. */
  is_booked: boolean;
  /** The amount that the provider says went back to the buyer. */
  refunded_amount: string | null;
  /** The state of the buyer's dispute, by the provider; null without one. */
  dispute: DisputeState | null;
}

/** The amount that a provider says it took, in the charge's own currency; else the asked one. */
export function takenAmount({ amount, currency, answered_amount, answered_currency }: Charge) {
  return answered_currency === currency ? (answered_amount ?? amount) : amount;
}

export const tookOtherCurrency = ({ currency, answered_currency }: Charge) =>
  answered_currency !== null && answered_currency !== currency;

const COLUMNS = `charge_id, attempt_id, seller_id, subscription_id, account_id, reference,
  amount::text as amount, currency, state, hand_over, begun_at, leased_until, shown_at, expires_at,
  answer, asked_at, times_asked, next_at, ended_at, answered_amount::text as answered_amount,
  answered_currency, transaction_id, fee::text as fee, approved_at, is_booked,
  refunded_amount::text as refunded_amount, dispute`;
const CHARGE = `select ${COLUMNS} from charge`;

/** SQL: the charge with the id in the first parameter. */
const IS_CHARGE = `seller_id = ${sellerAt("$1")} and charge_id = $1`;

/** All charges of an attempt, the oldest first. */
export const selectCharges = (
  database: Database,
  { seller_id, attempt_id }: Pick<Charge, "seller_id" | "attempt_id">,
) =>
  queryRows<Charge>(
    database,
    `${CHARGE} where seller_id = $1 and attempt_id = $2 order by begun_at, charge_id`,
    [seller_id, attempt_id],
  );

export const selectCharge = (database: Database, chargeId: string) =>
  queryRow<Charge>(database, `${CHARGE} where ${IS_CHARGE}`, [chargeId]);

export const lockCharge = (database: Database, chargeId: string) =>
  queryRow<Charge>(database, `${CHARGE} where ${IS_CHARGE} for update`, [chargeId]);

/** @param accountId null for the sandbox, whose references are listed in the directory */
export const selectChargeByReference = (
  database: Database,
  accountId: number | null,
  reference: string,
) =>
  queryRow<Charge>(
    database,
    `${CHARGE} where seller_id = ${accountId === null ? sellerAt("$2::uuid") : OF_ACCOUNT}
       and coalesce(account_id, 0) = $1 and reference = $2::text`,
    [accountId ?? 0, reference],
  );

export const selectChargeByTransaction = (
  database: Database,
  accountId: number,
  transactionId: string,
) =>
  queryRow<Charge>(
    database,
    `${CHARGE} where seller_id = ${OF_ACCOUNT} and account_id = $1 and transaction_id = $2
     order by begun_at limit 1`,
    [accountId, transactionId],
  );

type NewCharge = Pick<
  Charge,
  | "charge_id"
  | "attempt_id"
  | "seller_id"
  | "subscription_id"
  | "account_id"
  | "reference"
  | "amount"
  | "currency"
  | "begun_at"
  | "leased_until"
  | "next_at"
>;

/** Stores a charge as claimed, before the provider is called. */
export const insertCharge = (database: Database, charge: NewCharge) =>
  queryRow<Charge>(
    database,
    `insert into charge (charge_id, attempt_id, seller_id, subscription_id, account_id, reference,
       amount, currency, state, begun_at, leased_until, next_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'claimed', $9, $10, $11)
     returning ${COLUMNS}`,
    [
      charge.charge_id,
      charge.attempt_id,
      charge.seller_id,
      charge.subscription_id,
      charge.account_id,
      charge.reference,
      charge.amount,
      charge.currency,
      charge.begun_at,
      charge.leased_until,
      charge.next_at,
    ],
  );

/** Stores the changed fields of a charge, whose row the caller has locked. */
export const updateCharge = (database: Database, charge: Charge) =>
  database.query(
    `update charge set reference = $2, state = $3, hand_over = $4, leased_until = $5, shown_at = $6,
       expires_at = $7, answer = $8, next_at = $9, ended_at = $10, answered_amount = $11,
       answered_currency = $12, transaction_id = $13, fee = $14, approved_at = $15,
       is_booked = $16, refunded_amount = $17
     where seller_id = $18 and charge_id = $1`,
    [
      charge.charge_id,
      charge.reference,
      charge.state,
      charge.hand_over && JSON.stringify(charge.hand_over),
      charge.leased_until,
      charge.shown_at,
      charge.expires_at,
      charge.answer,
      charge.next_at,
      charge.ended_at,
      charge.answered_amount,
      charge.answered_currency,
      charge.transaction_id,
      charge.fee,
      charge.approved_at,
      charge.is_booked,
      charge.refunded_amount,
      charge.seller_id,
    ],
  );

/**
 * Stores a provider's report of a dispute; the database books the difference.
 * @param next when the provider is asked again while it is open
 */
export const updateDispute = (
  database: Database,
  chargeId: string,
  { state, taken, fee }: ProviderDispute,
  next: Date,
) =>
  database.query(
    `update charge set dispute = $2, disputed_amount = $3, dispute_fee = coalesce($4, dispute_fee),
       next_at = case when $2 = 'open' and state = 'approved' then $5 else next_at end
     where ${IS_CHARGE}`,
    [chargeId, state, taken, fee, next],
  );

/** Remembers when a buyer first saw the charge's page; a form on it can be sent only once. */
export const markShown = (database: Database, chargeId: string, now: Date) =>
  database.query(`update charge set shown_at = $2 where ${IS_CHARGE} and shown_at is null`, [
    chargeId,
    now,
  ]);

interface Question {
  now: Date;
  /** When the charge is asked about next, unless the answer says otherwise. */
  next: Date;
  /** Only a charge that was last asked about before this time is claimed. */
  before: Date;
  /** Whether only a charge that is due is claimed. */
  ifDue: boolean;
}

/**
 * Claims the right to ask about a charge, so that of many pages and workers one asks.
 * @returns whether this call may ask
 */
export async function claimQuestion(
  database: Database,
  chargeId: string,
  { now, next, before, ifDue }: Question,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update charge c set asked_at = $2, times_asked = times_asked + 1, next_at = $3
     where ${IS_CHARGE} and reference is not null
       and (asked_at is null or asked_at <= $4) and (leased_until is null or leased_until <= $2)
       and (not $5 or next_at <= $2)
       and not exists (select from payment_account a
         where a.account_id = c.account_id and a.rests_until > $2)`,
    [chargeId, now, next, before, ifDue],
  );
  return rowCount === 1;
}

/** Ends the questions about a charge, unless the next one was planned again in the meantime. */
export const stopAsking = (database: Database, chargeId: string, planned: Date) =>
  database.query(`update charge set next_at = null where ${IS_CHARGE} and next_at = $2`, [
    chargeId,
    planned,
  ]);

/** Makes a charge due at once, because its provider announced something. */
export const hurryCharge = (database: Database, chargeId: string, now: Date) =>
  database.query(
    `update charge
     set next_at = greatest($2, asked_at + interval '${BETWEEN_QUESTIONS} milliseconds')
     where ${IS_CHARGE} and state not in ('unseen', 'refused') and account_id is not null`,
    [chargeId, now],
  );

/**
 * Ends charges whose begin was cut off before the provider named them: no buyer was sent to them,
 * and nobody can ask about them.
 */
export const endCutOffCharges = (database: Database, now: Date) =>
  database.query(
    `update charge set state = 'unseen', leased_until = null, next_at = null
     where state = 'claimed' and reference is null and account_id is not null
       and next_at <= $1 and leased_until <= $1`,
    [now],
  );

/**
 * Remembers a notice.
 * @returns whether it is new
 */
export async function keepNotice(
  database: Database,
  notice: { seller_id: number; account_id: number; digest: Buffer; received_at: Date },
): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into payment_notice (seller_id, account_id, digest, received_at)
     values ($4, $1, $2, $3)
     on conflict do nothing`,
    [notice.account_id, notice.digest, notice.received_at, notice.seller_id],
  );
  return rowCount === 1;
}

/** @returns how many were deleted */
export async function deleteOldNotices(
  database: Database,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await database.query(
    `delete from payment_notice where (seller_id, account_id, digest) in (
       select seller_id, account_id, digest from payment_notice where received_at < $1
       order by received_at limit $2)`,
    [before, limit],
  );
  return rowCount ?? 0;
}

/** Accounts with something to ask or to give back, except those for which calls are paused. */
export const selectDueAccounts = (database: Database, now: Date, except: number[]) =>
  queryRows<{ account_id: number }>(
    database,
    `select a.account_id from payment_account a
     where (a.rests_until is null or a.rests_until <= $1) and a.account_id <> all ($2)
       and (exists (select from charge c where c.seller_id = a.seller_id
           and c.account_id = a.account_id and c.next_at <= $1)
         or a.account_id in (select c.account_id
           from refund r join charge c using (seller_id, charge_id)
           where r.next_at <= $1))`,
    [now, except],
  );

export const selectDueCharges = (
  database: Database,
  { account_id, now, limit }: { account_id: number; now: Date; limit: number },
) =>
  queryRows<Charge>(
    database,
    `${CHARGE} where seller_id = ${OF_ACCOUNT} and account_id = $1 and next_at <= $2 and not exists (
       select from payment_account a where a.account_id = $1 and a.rests_until > $2)
     order by next_at limit $3`,
    [account_id, now, limit],
  );

/** When the next charge or refund is due, after a pause of its account; null if none is. */
export const nextPaymentDueAt = async (database: Database, now: Date) =>
  (
    await queryRow<{ next_at: Date | null }>(
      database,
      `select min(d.next_at) as next_at from (
         select greatest(c.next_at, a.rests_until) as next_at
         from payment_account a cross join lateral (
           select next_at from charge
           where seller_id = a.seller_id and account_id = a.account_id
             and charge.next_at is not null
           order by charge.next_at limit 1) c
         union all
         select greatest(r.next_at, a.rests_until) from refund r join charge c using (seller_id, charge_id)
         join payment_account a using (account_id)
         where r.next_at is not null) d
       where d.next_at > $1`,
      [now],
    )
  )?.next_at ?? null;

export const wakePayments = (database: Database) =>
  database.query(`select pg_notify('${PAYMENTS_CHANNEL}', '')`);

export const PAYMENTS_CHANNEL = "duebook_payments";

import type { ComparisonRun } from "#contract/payment-accounts.ts";
import { queryRow, queryRows, queryValue, type Database } from "../../db/database.ts";
import { OF_ACCOUNT } from "../../sellers/store.ts";
import type { Charge } from "../charges/store.ts";

/** The fields of a charge that are compared. */
export type KnownCharge = Pick<
  Charge,
  | "charge_id"
  | "seller_id"
  | "subscription_id"
  | "reference"
  | "transaction_id"
  | "amount"
  | "currency"
  | "state"
  | "approved_at"
  | "refunded_amount"
> & {
  /** Null if the charge pays nothing. */
  payment_id: string | null;
};

const KNOWN = `select c.charge_id, c.seller_id, c.subscription_id, c.reference, c.transaction_id,
  c.amount::text as amount, c.currency, c.state, c.approved_at,
  c.refunded_amount::text as refunded_amount,
  case when c.is_booked then (select p.payment_id from payment p
    where p.seller_id = c.seller_id and p.attempt_id = c.attempt_id) end as payment_id
  from charge c`;

/**
 * Charges by what the provider calls them, the reference or the transaction: of the account, and
 * of those that the seller had there before.
 */
export const selectKnown = (database: Database, accountId: number, names: string[]) =>
  queryRows<KnownCharge>(
    database,
    // Each name by its own index; one condition for both would read all charges of the accounts.
    `with own as (select o.account_id from payment_account o
       join payment_account a using (seller_id, mode, provider) where a.account_id = $1)
     ${KNOWN} where c.seller_id = ${OF_ACCOUNT} and c.charge_id in (
       select charge_id from charge where seller_id = ${OF_ACCOUNT} and reference = any ($2)
         and coalesce(account_id, 0) = any (array(select account_id from own))
       union all
       select charge_id from charge where seller_id = ${OF_ACCOUNT} and transaction_id = any ($2)
         and account_id = any (array(select account_id from own)))`,
    [accountId, names],
  );

/** Charges that were begun and approved within a time, and not given back since. */
export const selectApprovedWithin = (
  database: Database,
  accountId: number,
  { from, to }: { from: Date; to: Date },
) =>
  queryRows<KnownCharge>(
    database,
    `${KNOWN} where c.seller_id = ${OF_ACCOUNT} and c.account_id = $1 and c.state = 'approved' and c.begun_at >= $2
       and c.approved_at >= $2 and c.approved_at < $3 and c.refunded_amount is null
     order by c.approved_at`,
    [accountId, from, to],
  );

/**
 * Charges to ask about: uncertain ones, and those approved the given numbers of days ago, because
 * their money can have been returned since.
 */
export const selectDoubtful = async (
  database: Database,
  accountId: number,
  { now, days, limit }: { now: Date; days: readonly number[]; limit: number },
) =>
  (
    await queryRows<{ charge_id: string }>(
      database,
      `select charge_id from (
         select charge_id, asked_at, 1 as turn from charge
         where seller_id = ${OF_ACCOUNT} and account_id = $1 and next_at is not null
           and state in ('claimed', 'open', 'held', 'failed', 'left')
         union all
         select charge_id, asked_at, 2 from unnest($4::int[]) days join charge
           on seller_id = ${OF_ACCOUNT} and account_id = $1 and state = 'approved'
           and approved_at > $2::timestamptz - (days + 1) * interval '1 day'
           and approved_at <= $2::timestamptz - days * interval '1 day') c
       order by turn, asked_at nulls first, charge_id limit $3`,
      [accountId, now, limit, days],
    )
  ).map(({ charge_id }) => charge_id);

/** The number of the given charges that were asked about since then. */
export const countAsked = async (
  database: Database,
  accountId: number,
  chargeIds: string[],
  since: Date,
) =>
  (await queryValue<number>(
    database,
    `select count(*)::integer from charge
     where seller_id = ${OF_ACCOUNT} and charge_id = any ($2) and asked_at >= $3`,
    [accountId, chargeIds, since],
  )) ?? 0;

/** Makes an account's owed refunds due at once. */
export const hurryRefunds = (database: Database, accountId: number, now: Date) =>
  database.query(
    `update refund r set next_at = $2 from charge c
     where r.seller_id = ${OF_ACCOUNT} and c.seller_id = r.seller_id
       and c.charge_id = r.charge_id and c.account_id = $1
       and r.state in ('owed', 'sent', 'under_way') and r.next_at > $2`,
    [accountId, now],
  );

/** An open task that came from a comparison, with the charge that it is about by now. */
interface FoundTask {
  kind: "statement_only" | "service_only" | "amount_differs";
  seller_id: number;
  charge_id: string | null;
  account_id: number;
  reference: string | null;
  /** The charge of that reference, even if it was not known when the task was opened. */
  now_charge_id: string | null;
  /** Whether the charge is approved by now with the amount that the provider said. */
  is_paid: boolean;
}

export const selectFoundTasks = (database: Database, accountId: number) =>
  queryRows<FoundTask>(
    database,
    `select t.kind, t.seller_id, t.charge_id, t.account_id, t.reference,
       c.charge_id as now_charge_id,
       coalesce(c.state = 'approved' and c.amount = t.answered_amount
         and c.currency = t.answered_currency, false) as is_paid
     from payment_task t
     left join lateral (
       select charge_id, state, amount, currency from charge
       where seller_id = t.seller_id and charge_id = t.charge_id
       union
       select charge_id, state, amount, currency from charge
       where t.charge_id is null and seller_id = t.seller_id
         and coalesce(account_id, 0) = t.account_id
         and reference = t.reference
       union
       select charge_id, state, amount, currency from charge
       where t.charge_id is null and seller_id = t.seller_id and account_id = t.account_id
         and transaction_id = t.reference) c on true
     where t.seller_id = ${OF_ACCOUNT} and t.account_id = $1 and t.closed_at is null
       and t.kind in ('statement_only', 'service_only', 'amount_differs')`,
    [accountId],
  );

type Counts = Omit<ComparisonRun, "source" | "compared_at" | "problem">;

interface NewComparisonRun extends Counts {
  seller_id: number;
  account_id: number;
  source: "daily" | "asked" | "statement";
  compared_at: Date;
  /**
   * The end of the time that the list or statement covers completely; null if that is not known.
   */
  covers_to: Date | null;
  problem: string | null;
}

export const insertRun = (database: Database, run: NewComparisonRun) =>
  database.query(
    `insert into comparison (seller_id, account_id, source, compared_at, covers_to,
       asked, listed, matched, statement_only, service_only, differing, unclear, problem)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      run.seller_id,
      run.account_id,
      run.source,
      run.compared_at,
      run.covers_to,
      run.asked,
      run.listed,
      run.matched,
      run.statement_only,
      run.service_only,
      run.differing,
      run.unclear,
      run.problem,
    ],
  );

interface AccountComparisonState {
  account_id: number;
  is_running: boolean;
  last: ComparisonRun | null;
  last_statement: ComparisonRun | null;
}

const LAST = `select json_build_object('source', source,
    'compared_at', wire_time(compared_at), 'asked', asked, 'listed', listed,
    'matched', matched, 'statement_only', statement_only, 'service_only', service_only,
    'differing', differing, 'unclear', unclear, 'problem', problem) from comparison r
  where r.seller_id = a.seller_id and r.account_id = a.account_id`;
const NEWEST = "order by compared_at desc, comparison_id desc limit 1";

/** The last comparisons of accounts, with provider and statement, and whether another is asked for. */
export const selectComparisonStates = (database: Database, accountIds: number[]) =>
  queryRows<AccountComparisonState>(
    database,
    `select a.account_id, a.compare_asked_at is not null as is_running,
       (${LAST} and source <> 'statement' ${NEWEST}) as last,
       (${LAST} and source = 'statement' ${NEWEST}) as last_statement
     from payment_account a where a.account_id = any ($1)`,
    [accountIds],
  );

/** Until when the provider's list was compared without a problem; null if never. */
export const comparedUntil = (database: Database, accountId: number) =>
  queryValue<Date>(
    database,
    `select max(covers_to) from comparison
     where seller_id = ${OF_ACCOUNT} and account_id = $1 and source <> 'statement'
       and problem is null`,
    [accountId],
  );

export const askToCompare = (database: Database, accountId: number, now: Date) =>
  database.query(
    `update payment_account set compare_at = $2, compare_asked_at = $2
     where account_id = $1`,
    [accountId, now],
  );

export const COMPARISON_CHANNEL = "duebook_comparison";
export const wakeComparison = (database: Database) =>
  database.query(`select pg_notify('${COMPARISON_CHANNEL}', '')`);

/** Claims an account that is due, until a time at which another process can take it. */
export const claimDueAccount = (
  database: Database,
  { now, until, except }: { now: Date; until: Date; except: readonly number[] },
) =>
  queryRow<{ account_id: number; is_asked: boolean }>(
    database,
    `update payment_account set compare_at = $2
     where account_id = (select account_id from payment_account
       where removed_at is null and sealed_settings is not null and account_id <> all ($3)
         and coalesce(compare_at, created_at + interval '1 day') <= $1
       order by compare_asked_at nulls last, compare_at limit 1 for update skip locked)
     returning account_id, compare_asked_at is not null as is_asked`,
    [now, until, except],
  );

/** Ends a comparison. @param next when the next one is */
export const endComparing = (database: Database, accountId: number, next: Date) =>
  database.query(
    `update payment_account set compare_at = $2, compare_asked_at = null
     where account_id = $1`,
    [accountId, next],
  );

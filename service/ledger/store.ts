import { LEDGER_ACCOUNTS } from "#contract/names.ts";
import type { LedgerBalances, MonthlyStatement } from "#contract/payments.ts";
import { queryRows, type Database } from "../db/database.ts";
import { PROVIDER_ADAPTERS } from "../providers/adapters.ts";

type Account = Pick<
  LedgerBalances["balances"][number],
  "account" | "provider" | "account_id" | "label" | "currency"
>;

const NAMES = Object.fromEntries(
  PROVIDER_ADAPTERS.map(({ provider, label }) => [provider, label]),
);
const NAMES_SQL = `'${JSON.stringify({ ...NAMES, sandbox: "Sandbox" })}'::jsonb`;
// SQL of a line "l" with its payment account "a".
const PROVIDER = `case when l.account = 'provider' then coalesce(a.provider, 'sandbox') end`;
const LABEL = `case when l.account = 'provider' then
  coalesce(a.label, ${NAMES_SQL} ->> coalesce(a.provider, 'sandbox'), a.provider) end`;
const ACCOUNT = `l.account, ${PROVIDER} as provider, l.account_id, ${LABEL} as label, l.currency`;
const LINES = `journal_line l left join payment_account a using (account_id)`;
const ORDER = `array_position(array['${LEDGER_ACCOUNTS.join("', '")}'], account), account_id nulls first, currency`;

/**
 * SQL of what moved a seller's ($1) accounts since the newest closing that ends by a time, whose own
 * balances are rows too.
 * @param by SQL of the time; null for the newest closing of all
 * @param until SQL of the end; null for everything after it
 */
const movedSince = (by: string | null, until: string | null) => `(
  with closed as (
    select coalesce(max(until), '-infinity') as until from ledger_closing
    where seller_id = $1${by === null ? "" : ` and until <= ${by}`}
  )
  select account, account_id, currency, balance as amount, null::timestamptz as booked_at
  from ledger_closing c where seller_id = $1 and until = (select until from closed)
  union all
  select l.account, l.account_id, l.currency, l.amount, e.booked_at
  from journal_entry e join journal_line l using (seller_id, entry_id)
  where e.seller_id = $1 and e.booked_at >= (select until from closed)
    ${until === null ? "" : `and e.booked_at < ${until}`})`;
const WITH_ACCOUNT = "l left join payment_account a using (account_id)";

/** Debits less credits of each account of a seller. */
export const selectBalances = (database: Database, sellerId: number) =>
  queryRows<LedgerBalances["balances"][number]>(
    database,
    `select account, provider, account_id, label, currency, sum::text as balance from (
       select ${ACCOUNT}, sum(l.amount) as sum from ${movedSince(null, null)} ${WITH_ACCOUNT}
       group by l.account, a.provider, l.account_id, a.label, l.currency) b
     order by ${ORDER}`,
    [sellerId],
  );

/** Lets no month of a seller's ledger be closed until the transaction ends, which removes entries. */
export const holdClosings = (database: Database, sellerId: number) =>
  database.query("select pg_advisory_xact_lock_shared(71, ($1::bigint % 2147483647)::int)", [
    sellerId,
  ]);

/**
 * Keeps the balances of a seller at the end of a month.
 * @param until the first moment after it
 */
export async function insertClosing(
  database: Database,
  sellerId: number,
  until: Date,
): Promise<void> {
  await database.query("select pg_advisory_xact_lock(71, ($1::bigint % 2147483647)::int)", [
    sellerId,
  ]);
  await database.query(
    `insert into ledger_closing (seller_id, until, account, account_id, currency, balance)
     select $1, $2, account, account_id, currency, sum(amount)
     from ${movedSince("$2::timestamptz", "$2::timestamptz")} l group by account, account_id, currency
     on conflict do nothing`,
    [sellerId, until],
  );
}

/** Sellers with something to close: when their last closing ended, else when their ledger begins. */
export const selectUnclosed = (database: Database, before: Date) =>
  queryRows<{ seller_id: number; time_zone: string; since: Date }>(
    database,
    `select seller_id, time_zone, since from (
       select s.seller_id, s.time_zone, coalesce(
         (select max(until) from ledger_closing c where c.seller_id = s.seller_id),
         (select min(booked_at) from journal_entry e where e.seller_id = s.seller_id)) as since
       from seller s) s
     where since < $1 order by seller_id`,
    [before],
  );

/** The times between which a statement is; `until` is the first moment after it. */
export interface Period {
  from: Date;
  until: Date;
}

export const selectStatementAccounts = (
  database: Database,
  sellerId: number,
  { from, until }: Period,
) =>
  queryRows<Account & { opening: string; debit: string; credit: string; closing: string }>(
    database,
    `select account, provider, account_id, label, currency, opening::text as opening,
       debit::text as debit, credit::text as credit, (opening + debit - credit)::text as closing
     from (
       select ${ACCOUNT},
         coalesce(sum(l.amount) filter (where l.booked_at is null or l.booked_at < $2), 0.00) as opening,
         coalesce(sum(l.amount) filter (where l.booked_at >= $2 and l.amount > 0), 0.00) as debit,
         coalesce(-sum(l.amount) filter (where l.booked_at >= $2 and l.amount < 0), 0.00) as credit
       from ${movedSince("$2::timestamptz", "$3::timestamptz")} ${WITH_ACCOUNT}
       group by l.account, a.provider, l.account_id, a.label, l.currency) b
     where opening <> 0 or debit <> 0 or credit <> 0
     order by ${ORDER}`,
    [sellerId, from, until],
  );

/** Payments and refunds by currency; every sum is of lines of the ledger. */
export const selectStatementTotals = (
  database: Database,
  sellerId: number,
  { from, until }: Period,
) =>
  queryRows<MonthlyStatement["totals"][number]>(
    database,
    `select l.currency, count(distinct e.entry_id) filter (where e.kind = 'payment')::int as payments,
       coalesce(-sum(l.amount) filter (where e.kind = 'payment' and l.account in ('seller', 'our_fee')), 0.00)::text as paid,
       coalesce(sum(l.amount) filter (where e.kind = 'reversal' and l.account in ('seller', 'our_fee')), 0.00)::text as taken_back,
       coalesce(sum(l.amount) filter (where l.account = 'refunds'), 0.00)::text as given_back,
       coalesce(sum(l.amount) filter (where l.account = 'disputes'), 0.00)::text as disputed,
       coalesce(sum(l.amount) filter (where l.account = 'provider_fee'), 0.00)::text as provider_fee,
       coalesce(-sum(l.amount) filter (where l.account = 'our_fee'), 0.00)::text as service_fee,
       coalesce(-sum(l.amount) filter (where l.account in ('seller', 'refunds', 'disputes', 'provider_fee')), 0.00)::text as net
     from journal_entry e join journal_line l using (seller_id, entry_id)
     where e.seller_id = $1 and e.booked_at >= $2 and e.booked_at < $3
     group by l.currency order by l.currency`,
    [sellerId, from, until],
  );

type Entry = MonthlyStatement["entries"][number];

/**
 * A month's entries in the order of time.
 * @param after the id of the entry after which they begin
 */
export const selectEntries = (
  database: Database,
  sellerId: number,
  { from, until, after, limit }: Period & { after: number | undefined; limit: number },
) =>
  queryRows<Entry>(
    database,
    `select e.entry_id as id, e.kind, wire_time(e.booked_at) as booked_at, e.subscription_id,
       s.full_name, e.charge_id, e.payment_id, e.refund_id,
       case when e.kind in ('refund', 'refund_failed') then coalesce(r.reference, r.provider_refund_id)
         else coalesce(nullif(h.reference, ''), c.reference) end as reference,
       array(
         select json_build_object('account', l.account,
           'provider', ${PROVIDER}, 'account_id', l.account_id, 'label', ${LABEL}, 'currency', l.currency,
           'debit', greatest(l.amount, 0.00)::text, 'credit', greatest(-l.amount, 0.00)::text)
         from ${LINES} where l.seller_id = e.seller_id and l.entry_id = e.entry_id order by l.position) as lines
     from (
       select * from journal_entry
       where seller_id = $1 and booked_at >= $2 and booked_at < $3
         and ($4::bigint is null or (booked_at, entry_id) > (
           select booked_at, entry_id from journal_entry where seller_id = $1 and entry_id = $4))
       order by booked_at, entry_id limit $5) e
     join subscription s on s.seller_id = $1 and s.subscription_id = e.subscription_id
     left join charge c on c.seller_id = $1 and c.charge_id = e.charge_id
     left join refund r on r.seller_id = $1 and r.refund_id = e.refund_id
     left join recorded_payment h on h.seller_id = $1 and h.payment_id = e.payment_id
     order by e.booked_at, e.entry_id`,
    [sellerId, from, until, after ?? null, limit],
  );

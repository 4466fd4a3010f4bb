import { LEDGER_ACCOUNTS } from "#contract/names.ts";
import type { LedgerBalances, MonthlyStatement } from "#contract/payments.ts";
import { queryRows, type Database } from "../db/database.ts";
import { PROVIDER_ADAPTERS } from "../providers/adapters.ts";
import { balancesAt, sumsBetween, type Period } from "./closings.ts";

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

// SQL of a seller's ($1) balances now, and of its accounts' sums from $2 to $3.
const BALANCES = balancesAt("'9999-12-31'::timestamptz");
const STATEMENT = sumsBetween("$2::timestamptz", "$3::timestamptz");
const WITH_ACCOUNT = "l left join payment_account a using (account_id)";

/** Debits less credits of each account of a seller. */
export const selectBalances = (database: Database, sellerId: number) =>
  queryRows<LedgerBalances["balances"][number]>(
    database,
    `select account, provider, account_id, label, currency, sum::text as balance from (
       select ${ACCOUNT}, sum(l.amount) as sum from ${BALANCES} ${WITH_ACCOUNT}
       group by l.account, a.provider, l.account_id, a.label, l.currency) b
     order by ${ORDER}`,
    [sellerId],
  );

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
       select ${ACCOUNT}, sum(l.opening) as opening, sum(l.debit) as debit, sum(l.credit) as credit
       from (
         select account, account_id, currency, amount as opening, 0.00 as debit, 0.00 as credit
         from ${balancesAt("$2::timestamptz")} o
         union all
         select account, account_id, currency, 0.00, debit, credit from ${STATEMENT} s) ${WITH_ACCOUNT}
       group by l.account, a.provider, l.account_id, a.label, l.currency) b
     where opening <> 0 or debit <> 0 or credit <> 0
     order by ${ORDER}`,
    [sellerId, from, until],
  );

/** Payments, refunds, disputes and fees by currency; every sum is of lines of the ledger. */
export const selectStatementTotals = (
  database: Database,
  sellerId: number,
  { from, until }: Period,
) =>
  queryRows<MonthlyStatement["totals"][number]>(
    database,
    `select currency, sum(payments)::int as payments,
       coalesce(sum(paid) filter (where account in ('seller', 'our_fee')), 0.00)::text as paid,
       coalesce(sum(taken_back) filter (where account in ('seller', 'our_fee')), 0.00)::text as taken_back,
       coalesce(sum(debit - credit) filter (where account = 'refunds'), 0.00)::text as given_back,
       coalesce(sum(debit - credit) filter (where account = 'disputes'), 0.00)::text as disputed,
       coalesce(sum(debit - credit) filter (where account = 'provider_fee'), 0.00)::text as provider_fee,
       coalesce(sum(credit - debit) filter (where account = 'our_fee'), 0.00)::text as service_fee,
       coalesce(sum(credit - debit) filter (where account in ('seller', 'refunds', 'disputes', 'provider_fee')), 0.00)::text as net
     from ${STATEMENT} s
     group by currency having sum(debit + credit) > 0 order by currency`,
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
         and (booked_at, entry_id) > (
           case when $4::bigint is null then $2
             else (select booked_at from journal_entry where seller_id = $1 and entry_id = $4) end,
           coalesce($4, 0))
       order by booked_at, entry_id limit $5) e
     join subscription s on s.seller_id = $1 and s.subscription_id = e.subscription_id
     left join charge c on c.seller_id = $1 and c.charge_id = e.charge_id
     left join refund r on r.seller_id = $1 and r.refund_id = e.refund_id
     left join recorded_payment h on h.seller_id = $1 and h.payment_id = e.payment_id
     order by e.booked_at, e.entry_id`,
    [sellerId, from, until, after ?? null, limit],
  );

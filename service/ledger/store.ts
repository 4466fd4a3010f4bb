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

/** Debits less credits of each account of a seller. */
export const selectBalances = (database: Database, sellerId: number) =>
  queryRows<LedgerBalances["balances"][number]>(
    database,
    `select account, provider, account_id, label, currency, sum::text as balance from (
       select ${ACCOUNT}, sum(l.amount) as sum from ${LINES} where l.seller_id = $1
       group by l.account, a.provider, l.account_id, a.label, l.currency) b
     order by ${ORDER}`,
    [sellerId],
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
         coalesce(sum(l.amount) filter (where e.booked_at < $2), 0.00) as opening,
         coalesce(sum(l.amount) filter (where e.booked_at >= $2 and l.amount > 0), 0.00) as debit,
         coalesce(-sum(l.amount) filter (where e.booked_at >= $2 and l.amount < 0), 0.00) as credit
       from journal_entry e join ${LINES.replace("journal_line l", "journal_line l using (entry_id)")}
       where e.seller_id = $1 and e.booked_at < $3
       group by l.account, a.provider, l.account_id, a.label, l.currency) b
     where opening <> 0 or debit <> 0 or credit <> 0
     order by ${ORDER}`,
    [sellerId, from, until],
  );

/** What was paid and given back, by currency; every sum is of lines of the ledger. */
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
       coalesce(sum(l.amount) filter (where l.account = 'provider_fee'), 0.00)::text as provider_fee,
       coalesce(-sum(l.amount) filter (where l.account = 'our_fee'), 0.00)::text as service_fee,
       coalesce(-sum(l.amount) filter (where l.account in ('seller', 'refunds', 'provider_fee')), 0.00)::text as net
     from journal_entry e join journal_line l using (entry_id)
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
         from ${LINES} where l.entry_id = e.entry_id order by l.position) as lines
     from (
       select * from journal_entry
       where seller_id = $1 and booked_at >= $2 and booked_at < $3
         and ($4::bigint is null or (booked_at, entry_id) > (
           select booked_at, entry_id from journal_entry where seller_id = $1 and entry_id = $4))
       order by booked_at, entry_id limit $5) e
     join subscription s using (subscription_id)
     left join charge c on c.charge_id = e.charge_id
     left join refund r on r.refund_id = e.refund_id
     left join recorded_payment h on h.payment_id = e.payment_id
     order by e.booked_at, e.entry_id`,
    [sellerId, from, until, after ?? null, limit],
  );

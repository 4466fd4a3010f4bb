import { queryRows, type Database } from "../db/database.ts";

/** The time that a statement covers; `until` is the first moment after it. */
export interface Period {
  from: Date;
  until: Date;
}

const SUMS = ["debit", "credit", "paid", "taken_back", "payments"] as const;
const KEY = "account, account_id, currency";

const LINES = "journal_entry e join journal_line l using (seller_id, entry_id)";

/** SQL of the sums of a seller's ($1) accounts over the lines that match a condition. */
const sumsOfLines = (condition: string) => `
  select l.account, l.account_id, l.currency,
    coalesce(sum(l.amount) filter (where l.amount > 0), 0.00) as debit,
    coalesce(-sum(l.amount) filter (where l.amount < 0), 0.00) as credit,
    coalesce(-sum(l.amount) filter (where e.kind = 'payment'), 0.00) as paid,
    coalesce(sum(l.amount) filter (where e.kind = 'reversal'), 0.00) as taken_back,
    count(*) filter (where e.kind = 'payment' and l.position = 1) as payments
  from ${LINES} where e.seller_id = $1 and ${condition}
  group by l.account, l.account_id, l.currency`;

const times = (factor: string) => SUMS.map((sum) => `${factor} * ${sum} as ${sum}`).join(", ");
const summed = SUMS.map((sum) => `sum(${sum}) as ${sum}`).join(", ");

/**
 * SQL of the end of the closing of a seller ($1) that is nearest to a time; months end at other
 * moments after the seller's time zone was changed. The ledger's first entry counts as a closing with
 * nothing in it.
 */
const nearest = (at: string, condition = "true") => `(
  select until from (
    (select until from ledger_closing where seller_id = $1 and until <= ${at} and ${condition}
     order by until desc limit 1)
    union all
    (select until from ledger_closing where seller_id = $1 and until > ${at} and ${condition}
     order by until limit 1)
    union all
    select min(booked_at) from journal_entry where seller_id = $1) c
  order by greatest(until - ${at}, ${at} - until) limit 1)`;

/**
 * SQL of the balances of a seller's ($1) accounts at a time: those of the nearest closing, and the lines
 * between it and the time.
 * @param at SQL of the time
 */
export const balancesAt = (at: string) => `(
  with nearest as materialized (select ${nearest(at)} as until)
  select ${KEY}, balance as amount
  from ledger_closing where seller_id = $1 and until = (select until from nearest)
  union all
  select l.account, l.account_id, l.currency, case when e.booked_at < ${at} then l.amount else -l.amount end
  from ${LINES}
  where e.seller_id = $1
    and e.booked_at >= (select least(until, ${at}) from nearest)
    and e.booked_at < (select greatest(until, ${at}) from nearest))`;

/**
 * SQL of the sums of a seller's ($1) accounts between two times: the difference of the closings that are
 * nearest to both, and the lines between them and the times. If these lines would cover more time
 * than lies between the two times, only the lines between the two times are summed.
 * @param from SQL of the start
 * @param until SQL of the end
 */
export const sumsBetween = (from: string, until: string) => `(
  with ends as materialized (
    select ${nearest(from, "debit is not null")} as first, ${nearest(until, "debit is not null")} as last
  ), chosen as materialized (
    select first, last, coalesce(first < last
      and greatest(first - ${from}, ${from} - first) + greatest(last - ${until}, ${until} - last)
        < ${until} - ${from}, false) as is_closed
    from ends
  ), part (since, before, factor) as materialized (
    select ${from}, ${until}, 1 from chosen where not is_closed
    union all
    select least(last, ${until}), greatest(last, ${until}), case when last > ${until} then -1 else 1 end
    from chosen where is_closed
    union all
    select least(first, ${from}), greatest(first, ${from}), case when first > ${from} then 1 else -1 end
    from chosen where is_closed
  )
  select ${KEY}, ${summed} from (
    select ${KEY}, ${times("case when until = last then 1 else -1 end")}
    from chosen join ledger_closing c on is_closed and until in (first, last)
    where c.seller_id = $1
    union all
    select ${KEY}, ${times("factor")} from part cross join lateral (
      ${sumsOfLines("e.booked_at >= part.since and e.booked_at < part.before")}) l) s
  group by ${KEY})`;

/**
 * Keeps months of a seller's ledger from being closed until this transaction, which removes
 * entries, ends.
 */
export const holdClosings = (database: Database, sellerId: number) =>
  database.query("select pg_advisory_xact_lock_shared(71, ($1::bigint % 2147483647)::int)", [
    sellerId,
  ]);

/**
 * Keeps the balances and sums of a seller at the end of a day or month.
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
    `with closed as (
       select max(until) as until from ledger_closing
       where seller_id = $1 and until <= $2::timestamptz and debit is not null
     )
     insert into ledger_closing (seller_id, until, ${KEY}, balance, ${SUMS.join(", ")})
     select $1, $2, ${KEY}, sum(debit - credit), ${summed} from (
       select ${KEY}, ${SUMS.join(", ")}
       from ledger_closing where seller_id = $1 and until = (select until from closed)
       union all
       ${sumsOfLines("e.booked_at >= (select coalesce(until, '-infinity') from closed) and e.booked_at < $2")}) s
     group by ${KEY}
     on conflict (seller_id, until, account, coalesce(account_id, 0), currency) do update
       set ${SUMS.map((sum) => `${sum} = excluded.${sum}`).join(", ")}
       where ledger_closing.seller_id = $1 and ledger_closing.debit is null`,
    [sellerId, until],
  );
}

/**
 * Removes the closings of the days between the ends of two months; not those of the first day, one of
 * which was the end of the month before the seller's time zone was changed.
 */
export const deleteClosings = (database: Database, sellerId: number, { from, until }: Period) =>
  database.query(
    `delete from ledger_closing
     where seller_id = $1 and until >= $2::timestamptz + interval '23 hours' and until < $3`,
    [sellerId, from, until],
  );

/**
 * Sellers with something to close, and when their last closing ended or else their ledger began.
 */
export const selectUnclosed = (database: Database, before: Date) =>
  queryRows<{ seller_id: number; time_zone: string; since: Date }>(
    database,
    `select seller_id, time_zone, since from (
       select s.seller_id, s.time_zone, coalesce(
         (select max(until) from ledger_closing c
          where c.seller_id = s.seller_id and c.debit is not null),
         (select min(booked_at) from journal_entry e where e.seller_id = s.seller_id)) as since
       from seller s) s
     where since < $1 order by seller_id`,
    [before],
  );

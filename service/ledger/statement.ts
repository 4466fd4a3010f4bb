import type { MonthlyStatement, StatementQuery } from "#contract/payments.ts";
import type pg from "pg";
import { transaction, type Database } from "../db/database.ts";
import { localDate } from "#contract/process/local-day.ts";
import type { Seller } from "../sellers/store.ts";
import {
  insertClosing,
  selectEntries,
  selectStatementAccounts,
  selectStatementTotals,
  selectUnclosed,
  type Period,
} from "./store.ts";

/** @param month YYYY-MM, in the seller's time zone */
function monthIn(month: string, timeZone: string): Period {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 });
  const startOf = (day: Temporal.PlainDate) =>
    new Date(day.toZonedDateTime(timeZone).epochMilliseconds);
  return { from: startOf(first), until: startOf(first.add({ months: 1 })) };
}

const DAY = 86_400_000;

/** Keeps the balances at the end of each month that ended a day ago or earlier. */
export async function closeLedgers(
  pool: pg.Pool,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(now.getTime() - DAY);
  for (const { seller_id, time_zone, since } of await selectUnclosed(pool, before)) {
    let { until } = monthOf(since, time_zone);
    for (; until <= before && !signal?.aborted; until = monthOf(until, time_zone).until)
      await transaction(pool, (database) => insertClosing(database, seller_id, until));
  }
}

const monthOf = (moment: Date, timeZone: string) =>
  monthIn(localDate(moment, timeZone).toString().slice(0, 7), timeZone);

type OwnSeller = Pick<Seller, "seller_id" | "time_zone">;

/** A page of a month's entries with the balances and totals of the whole month, as of one moment. */
export async function readStatement(
  database: Database,
  { seller_id, time_zone }: OwnSeller,
  { month, now, after, page_size }: StatementQuery & { month: string; now: Date },
): Promise<{ statement: Omit<MonthlyStatement, "next">; last: number | null }> {
  const period = monthIn(month, time_zone);
  const rows = await selectEntries(database, seller_id, {
    ...period,
    after,
    limit: page_size + 1,
  });
  const entries = rows.slice(0, page_size);
  const statement = {
    month,
    time_zone,
    from: period.from.toISOString(),
    until: period.until.toISOString(),
    is_complete: period.until <= now,
    accounts: await selectStatementAccounts(database, seller_id, period),
    totals: await selectStatementTotals(database, seller_id, period),
    entries,
  };
  return { statement, last: rows.length > page_size ? (entries.at(-1)?.id ?? null) : null };
}

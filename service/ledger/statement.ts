import type { MonthlyStatement, StatementQuery } from "#contract/payments.ts";
import type pg from "pg";
import { transaction, type Database } from "../db/database.ts";
import { localDate } from "#contract/process/local-day.ts";
import type { Seller } from "../sellers/store.ts";
import { deleteClosings, insertClosing, selectUnclosed, type Period } from "./closings.ts";
import { selectEntries, selectStatementAccounts, selectStatementTotals } from "./store.ts";

const startOf = (day: Temporal.PlainDate, timeZone: string) =>
  new Date(day.toZonedDateTime(timeZone).epochMilliseconds);

/** @param month YYYY-MM, in the seller's time zone */
function monthIn(month: string, timeZone: string): Period {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 });
  return {
    from: startOf(first, timeZone),
    until: startOf(first.add({ months: 1 }), timeZone),
  };
}

const DAY = 86_400_000;

/**
 * Keeps the balances at the end of each month that ended a day ago or earlier, and of each day of the
 * current one: payments wait while the lines since the last closing are summed.
 * @throws the first error, after all sellers were tried
 */
export async function closeLedgers(
  pool: pg.Pool,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(now.getTime() - DAY);
  const errors: unknown[] = [];
  for (const { seller_id, time_zone, since } of await selectUnclosed(pool, before))
    try {
      let day = localDate(since, time_zone).add({ days: 1 });
      for (; !signal?.aborted; day = day.add({ days: 1 })) {
        const until = startOf(day, time_zone);
        if (until > before) break;
        const month = day.subtract({ days: 1 }).toPlainYearMonth().toString();
        const { from } = monthIn(month, time_zone);
        await transaction(pool, async (database) => {
          await insertClosing(database, seller_id, until);
          if (day.day === 1) await deleteClosings(database, seller_id, { from, until });
        });
      }
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw errors[0];
}

type OwnSeller = Pick<Seller, "seller_id" | "time_zone">;

/**
 * A page of a month's entries with the balances and totals of the whole month.
 * @param database a transaction with one snapshot, so that they agree
 */
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

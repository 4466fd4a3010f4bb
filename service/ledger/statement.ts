import type { MonthlyStatement, StatementQuery } from "#contract/payments.ts";
import type { Database } from "../db/database.ts";
import type { Seller } from "../sellers/store.ts";
import {
  selectEntries,
  selectStatementAccounts,
  selectStatementTotals,
  type Period,
} from "./store.ts";

/** @param month YYYY-MM, in the seller's time zone */
export function monthIn(month: string, timeZone: string): Period {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 });
  const startOf = (day: Temporal.PlainDate) =>
    new Date(day.toZonedDateTime(timeZone).epochMilliseconds);
  return { from: startOf(first), until: startOf(first.add({ months: 1 })) };
}

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

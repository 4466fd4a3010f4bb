import type pg from "pg";
import { transaction, type Database } from "../db/database.ts";
import type { Seller } from "../sellers/store.ts";
import { localDate } from "../subscriptions/periods.ts";
import { lockCurrent } from "./catch-up.ts";

/** Brings a seller's records up to that moment, oldest billing date first, each in one transaction. */
export async function advanceLifecycle(
  pool: pg.Pool,
  seller: Seller,
  now: Date,
): Promise<void> {
  for (const id of await selectOverdue(pool, seller, now))
    await transaction(pool, (database) => lockCurrent(database, seller, id, now));
}

async function selectOverdue(database: Database, seller: Seller, now: Date): Promise<string[]> {
  const today = localDate(now, seller.time_zone);
  const startOf = (date: Temporal.PlainDate) =>
    new Date(date.toZonedDateTime(seller.time_zone).epochMilliseconds);
  const { rows } = await database.query<{ subscription_id: string }>(
    `select subscription_id from subscription
     where seller_id = $1 and next_billing_cycle is not null
       and (status in ('active', 'pending_cancellation') and next_billing_cycle < $2
         or status = 'due' and next_billing_cycle < $3)
     order by next_billing_cycle, position`,
    [seller.seller_id, startOf(today), startOf(today.subtract({ days: seller.grace_days }))],
  );
  return rows.map((row) => row.subscription_id);
}

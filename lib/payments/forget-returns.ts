import "server-only";
import { database, type Database } from "#lib/db/pool.ts";

const DAYS_KEPT = 30;

/** For the keeper of the copies, with each turn: those of old, also of sellers to whom nobody comes any more. */
export async function forgetReturns(db: Database = database()): Promise<void> {
  await db.query(
    `delete from buyer_return where (seller_id, mode, subscription_id) in (
       select seller_id, mode, subscription_id from buyer_return
        where last_at < now() - interval '${DAYS_KEPT} days' order by last_at limit 200)`,
  );
}

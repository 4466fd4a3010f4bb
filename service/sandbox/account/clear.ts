import type { Database } from "../../db/database.ts";
import { clearedTables } from "./cleared-tables.ts";
import { accountBusy, isReferenced } from "./lock-account.ts";

/** Port 9 of this machine, where nothing listens, so every delivery to it is refused. */
export const DOWN_ENDPOINT = "http://127.0.0.1:9/down";

/** Empties the seller's account, which the caller has locked, and resets its clock. */
export async function clearSeller(database: Database, sellerId: number): Promise<void> {
  for (const table of await clearedTables(database))
    await database
      .query(`delete from ${table} where seller_id = $1`, [sellerId])
      .catch((error: unknown) => {
        throw isReferenced(error) ? accountBusy() : error;
      });
  await database.query("delete from webhook where seller_id = $1 and endpoint_url = $2", [
    sellerId,
    DOWN_ENDPOINT,
  ]);
  await clearProductTallies(database, sellerId);
  await database.query(
    `update seller set last_position = 0, last_customer_position = 0, clock_offset_ms = 0
     where seller_id = $1`,
    [sellerId],
  );
}

export async function clearProductTallies(database: Database, sellerId: number): Promise<void> {
  await database.query(
    `delete from product_tally where product_id in (select product_id from product where seller_id = $1)`,
    [sellerId],
  );
}

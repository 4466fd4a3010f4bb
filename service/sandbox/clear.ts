import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Database } from "../db/database.ts";
import { detail } from "../http/errors.ts";
import { lockSeller } from "../sellers/store.ts";
import { clearedTables } from "./cleared-tables.ts";

/** Port 9 of this machine: nothing listens there, so every delivery to it is refused. */
export const DOWN_ENDPOINT = "http://127.0.0.1:9/down";

/**
 * Empties the seller's account and sets its clock right.
 * @throws 409 while a worker delivers to one of its endpoints: what it sends must not vanish under it
 */
export async function clearSeller(
  database: Database,
  sellerId: number,
  realNow: Date,
): Promise<void> {
  // Whatever writes to the account holds one of these first, so it is done, or finds nothing later.
  await lockSeller(database, sellerId);
  for (const table of ["subscription", "customer", "webhook"])
    await database.query(`select 1 from ${table} where seller_id = $1 for update`, [sellerId]);
  if (!(await takeEndpoints(database, sellerId, realNow))) throw busy();
  for (const table of await clearedTables(database))
    await database
      .query(`delete from ${table} where seller_id = $1`, [sellerId])
      .catch((error: unknown) => {
        throw isStillNeeded(error) ? busy() : error;
      });
  await database.query("delete from webhook where seller_id = $1 and endpoint_url = $2", [
    sellerId,
    DOWN_ENDPOINT,
  ]);
  await database.query(
    `delete from product_tally where product_id in (select product_id from product where seller_id = $1)`,
    [sellerId],
  );
  await database.query(
    `update seller set last_position = 0, last_customer_position = 0, clock_offset_ms = 0
     where seller_id = $1`,
    [sellerId],
  );
}

/** A payment that is under way has added to it meanwhile. */
const isStillNeeded = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === "23503";

const busy = () =>
  detail(409, "The account is in use. Try again in a moment.", { "retry-after": "2" });

/** As a delivery worker takes them. @returns false where one of them is taken */
async function takeEndpoints(
  database: Database,
  sellerId: number,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into delivery_endpoint as known (seller_id, address_key, lease, free_at)
     select distinct seller_id, address_key, $2::uuid, $3::timestamptz from webhook
     where seller_id = $1 order by address_key
     on conflict (seller_id, address_key) do update set lease = excluded.lease
     where known.lease is null or known.free_at <= $3`,
    [sellerId, randomUUID(), now],
  );
  const { rows } = await database.query<{ endpoints: number }>(
    "select count(distinct address_key)::int as endpoints from webhook where seller_id = $1",
    [sellerId],
  );
  return rowCount === rows[0]?.endpoints;
}

import { randomUUID } from "node:crypto";
import pg from "pg";
import { stopRecordingChanges } from "../../changes/store.ts";
import { queryValue, type Database } from "../../db/database.ts";
import { isEndpointFreeSql } from "../../deliveries/claim-store.ts";
import { detailError } from "../../http/errors.ts";
import { holdClosings } from "../../ledger/closings.ts";
import { lockSeller } from "../../sellers/store.ts";
import { clearedTables } from "./tables.ts";

/**
 * Locks the whole account until the transaction ends, and counts its data as replaced.
 * @throws 409 while a worker delivers to one of its endpoints
 */
export async function lockAccount(
  database: Database,
  sellerId: number,
  realNow: Date,
): Promise<void> {
  // Every write to the account takes one of these locks first, so a write that began before has
  // ended, and a later one finds no old data.
  await lockSeller(database, sellerId);
  for (const table of ["subscription", "customer", "webhook"])
    await database.query(`select 1 from ${table} where seller_id = $1 for update`, [sellerId]);
  await holdClosings(database, sellerId);
  if (!(await takeEndpoints(database, sellerId, realNow))) throw accountBusy();
  await database.query(
    "update seller set sandbox_replacements = sandbox_replacements + 1 where seller_id = $1",
    [sellerId],
  );
  await stopRecordingChanges(database);
}

/** The description of 409 on a route that replaces the account's data. */
export const BUSY_DESCRIPTION =
  "Deliveries, or a request with this Idempotency-Key, are in progress";

const accountBusy = () =>
  detailError(409, "The account is in use. Try again in a moment.", { "retry-after": "2" });

/** @throws 409 if a running payment has added a referencing row in the meantime, else the error */
export function throwBusyIfReferenced(error: unknown): never {
  throw error instanceof pg.DatabaseError && error.code === "23503" ? accountBusy() : error;
}

export const countReplacements = async (database: Database, sellerId: number) =>
  (await queryValue<number>(
    database,
    "select sandbox_replacements from seller where seller_id = $1",
    [sellerId],
  )) ?? 0;

/** Leases the endpoints as a worker does, also paused ones; false if a worker holds one. */
async function takeEndpoints(database: Database, sellerId: number, now: Date) {
  const { rowCount } = await database.query(
    `insert into delivery_endpoint as known (seller_id, address_key, lease, free_at)
     select distinct seller_id, address_key, $2::uuid, $3::timestamptz from webhook
     where seller_id = $1 order by address_key
     on conflict (seller_id, address_key) do update set lease = excluded.lease
     where ${isEndpointFreeSql("known", "$3", { ignoresPause: true })}`,
    [sellerId, randomUUID(), now],
  );
  const { rows } = await database.query<{ endpoints: number }>(
    "select count(distinct address_key)::int as endpoints from webhook where seller_id = $1",
    [sellerId],
  );
  return rowCount === rows[0]?.endpoints;
}

/** Port 9 of this machine, where nothing listens, so every delivery to it is refused. */
export const UNREACHABLE_ENDPOINT = "http://127.0.0.1:9/down";

/** Empties the seller's account except for kept tables, and resets its clock; the caller locks it. */
export async function clearSeller(database: Database, sellerId: number): Promise<void> {
  for (const { name } of await clearedTables(database))
    await database
      .query(`delete from ${name} where seller_id = $1`, [sellerId])
      .catch(throwBusyIfReferenced);
  await database.query("delete from webhook where seller_id = $1 and endpoint_url = $2", [
    sellerId,
    UNREACHABLE_ENDPOINT,
  ]);
  await clearProductTallies(database, sellerId);
  // The clock may reach the same day again.
  await database.query("update reminder_step set run_day = null where seller_id = $1", [
    sellerId,
  ]);
  await database.query(
    `update seller set last_position = 0, last_customer_position = 0, clock_offset_ms = 0
     where seller_id = $1`,
    [sellerId],
  );
}

export const clearProductTallies = (database: Database, sellerId: number) =>
  database.query("delete from product_tally where seller_id = $1", [sellerId]);

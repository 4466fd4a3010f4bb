import type pg from "pg";
import { transaction } from "../db/database.ts";
import type { Seller } from "../sellers/store.ts";
import { lockCurrent } from "../subscriptions/catch-up.ts";
import { selectDueIds } from "./store.ts";

/**
 * Applies all time-based changes of a seller up to that time, the earliest first, each in its
 * own transaction.
 */
export async function advanceLifecycle(
  pool: pg.Pool,
  seller: Seller,
  now: Date,
): Promise<void> {
  for (const id of await selectDueIds(pool, seller, now))
    await transaction(pool, (database) => lockCurrent(database, seller, id, now));
}

import type pg from "pg";
import { queryRows, transaction } from "../db/database.ts";
import type { Seller } from "../sellers/store.ts";
import { lockCurrentSubscription } from "../subscriptions/catch-up.ts";

/**
 * Applies all time-based changes of a seller up to that time: each subscription's in its own
 * transaction, beginning with the one that changes first.
 */
export async function advanceLifecycle(
  pool: pg.Pool,
  seller: Seller,
  now: Date,
): Promise<void> {
  const due = await queryRows<{ subscription_id: string }>(
    pool,
    `select subscription_id from subscription
     where seller_id = $1 and next_transition_at <= $2 order by next_transition_at, position`,
    [seller.seller_id, now],
  );
  for (const { subscription_id } of due)
    await transaction(pool, (database) =>
      lockCurrentSubscription(database, seller, subscription_id, now),
    );
}

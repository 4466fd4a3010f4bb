import "server-only";
import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";

/** A record that was indexed before a given time. */
export interface IndexedBefore {
  /** The record of that time; null if it was read again since. */
  before: Subscription | null;
}

/** The subscription, if it existed before a time of readClock's; null if the index did not have it. */
export async function findIndexedBefore(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { subscription_id, asked_at }: { subscription_id: string; asked_at: string },
): Promise<IndexedBefore | null> {
  // A running sync may read it again at any time; the time it was first seen stays.
  const { rows } = await db.query<IndexedBefore>(
    `select case when asked_at < $4::timestamptz then record end as before
       from mirror_subscription
      where seller_id = $1 and mode = $2 and id = $3 and first_seen_at < $4::timestamptz`,
    [seller_id, mode, subscription_id, asked_at],
  );
  return rows[0] ?? null;
}

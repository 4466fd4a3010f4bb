import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";

/**
 * SQL of the subscriptions with a payment in the last day: they are not asked for the next one on the
 * same day.
 * @param owner the placeholders of seller and mode
 */
export const recentlyPaidSql = ({ seller_id, mode }: { seller_id: string; mode: string }) => `
  select c.subscription_id from subscription_change c
   where c.seller_id = ${seller_id} and c.mode = ${mode}
     and (c.is_first_payment or c.is_renewal) and c.seen_at > now() - interval '1 day'`;

/** Whether one subscription was paid in the last day. */
export async function hasRecentlyPaid(
  db: Database,
  { seller_id, mode }: KeyOwner,
  subscription_id: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `${recentlyPaidSql({ seller_id: "$1", mode: "$2" })} and c.subscription_id = $3 limit 1`,
    [seller_id, mode, subscription_id],
  );
  return rowCount === 1;
}

/** The ids of all of them. */
export async function readRecentlyPaid(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ subscription_id: string }>(
    recentlyPaidSql({ seller_id: "$1", mode: "$2" }),
    [seller_id, mode],
  );
  return new Set(rows.map(({ subscription_id }) => subscription_id));
}

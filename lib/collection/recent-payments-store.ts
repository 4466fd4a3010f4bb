import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";

/**
 * SQL of the subscriptions of which the copy saw a payment since a day ago. However soon the next one is:
 * nobody is to be asked for it on the day of this one.
 * @param owner the places of seller and mode in the statement
 */
export const recentlyPaidSql = ({ seller_id, mode }: { seller_id: string; mode: string }) => `
  select c.subscription_id from subscription_change c
   where c.seller_id = ${seller_id} and c.mode = ${mode}
     and (c.is_first_payment or c.is_renewal) and c.seen_at > now() - interval '1 day'`;

/** Of one: its buyer may have just been told of it. */
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

/** Of all. */
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

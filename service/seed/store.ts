import type { Database } from "../db/database.ts";

/** Newest first; at most a hundred, enough to try out one-time purchases. */
export async function selectOneTimePurchases(database: Database, sellerId: number) {
  const { rows } = await database.query<{ subscription_id: string }>(
    `select subscription_id from subscription
     where seller_id = $1 and status = 'active' and is_one_time
     order by position desc limit 100`,
    [sellerId],
  );
  return rows.map((row) => row.subscription_id);
}

export async function selectHiddenPeriod(database: Database, sellerId: number) {
  const { rows } = await database.query<{ pbp_id: string }>(
    `select pbp_id from billing_period where seller_id = $1 and (is_archived or not is_current)
     order by pbp_id limit 1`,
    [sellerId],
  );
  return rows[0]?.pbp_id ?? null;
}

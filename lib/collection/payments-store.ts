import "server-only";
import { concernsRow } from "#contract/process/database.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { CHANGE_KINDS } from "#lib/search-index/query/conditions.ts";

/**
 * SQL of the subscriptions with a payment in the last day, for seller $1 and mode $2: their buyers are
 * not reminded of the next payment on the same day.
 */
export const recentlyPaidSql = `
  select c.subscription_id from subscription_change c
   where c.seller_id = $1 and c.mode = $2
     and ${CHANGE_KINDS.paid} and c.seen_at > now() - interval '1 day'`;

/** Whether one subscription was paid in the last day. */
export const hasRecentlyPaid = (
  db: Database,
  { seller_id, mode }: KeyOwner,
  subscription_id: string,
) =>
  concernsRow(db, `${recentlyPaidSql} and c.subscription_id = $3 limit 1`, [
    seller_id,
    mode,
    subscription_id,
  ]);

/** The ids of all subscriptions that were paid in the last day. */
export async function readRecentlyPaid(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ subscription_id: string }>(recentlyPaidSql, [
    seller_id,
    mode,
  ]);
  return new Set(rows.map(({ subscription_id }) => subscription_id));
}

/** Days after which a failed payment is no longer shown in collection. */
const DAYS_TOLD = 14;

/**
 * SQL of the subscriptions whose last checkout failed, and when, for seller $1 and mode $2.
 * Deliveries can be forged while no secret is known, so a failure is only a hint. A delivery that
 * is verified later gets a later id, so the last one is found by its time.
 */
export const failedCheckoutsSql = `
  select distinct on (e.subscription_id) e.subscription_id, e.received_at as failed_at
    from received_delivery e
   where e.seller_id = $1 and e.mode = $2 and e.event = 'checkout.failed'
     and e.verdict in ('verified', 'unverified') and e.reason is distinct from 'example'
     and e.subscription_id is not null
     and e.received_at > now() - interval '${DAYS_TOLD} days'
     and not exists (
       select 1 from received_delivery p
        where p.seller_id = e.seller_id and p.mode = e.mode
          and p.subscription_id = e.subscription_id and p.event = 'checkout.succeeded'
          and p.verdict in ('verified', 'unverified') and p.reason is distinct from 'example'
          and (p.received_at, p.id) > (e.received_at, e.id))
     and not exists (
       select 1 from subscription_change c
        where c.seller_id = e.seller_id and c.mode = e.mode
          and c.subscription_id = e.subscription_id and c.seen_at > e.received_at
          and ${CHANGE_KINDS.paid})
   order by e.subscription_id, e.received_at desc, e.id desc`;

/** When one subscription's checkout last failed. */
export async function readFailedAt(
  db: Database,
  { seller_id, mode }: KeyOwner,
  subscription_id: string,
): Promise<string | null> {
  const { rows } = await db.query<{ failed_at: Date }>(
    `select failed_at from (${failedCheckoutsSql}) as failed
      where subscription_id = $3`,
    [seller_id, mode, subscription_id],
  );
  return rows[0]?.failed_at.toISOString() ?? null;
}

import "server-only";
import { queryRows } from "#contract/process/database.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";

/** A buyer by the keys that their phone may have, and the product to order. */
interface AskedBuyer {
  position: number;
  keys: string[];
  product_id: string;
}

interface KnownBuyer {
  position: number;
  /** A subscription of this product that has not ended; null if there is none. */
  subscription_id: string | null;
}

/** Which of these buyers have a customer or a subscription in the index; asks for all at once. */
export const findKnownBuyers = (
  db: Database,
  { seller_id, mode }: KeyOwner,
  asked: readonly AskedBuyer[],
) =>
  queryRows<KnownBuyer>(
    db,
    `select a.position, s.id as subscription_id
       from jsonb_to_recordset($3) as a (position integer, keys text[], product_id text)
       left join lateral (
         select id from mirror_subscription m
          where m.seller_id = $1 and m.mode = $2 and m.phone_key = any(a.keys)
            and m.product_id = a.product_id and m.status not in ('cancelled', 'inactive')
          order by m.created_at desc, m.id limit 1) s on true
      where s.id is not null
         or exists (select from mirror_customer c
                     where c.seller_id = $1 and c.mode = $2 and c.phone_key = any(a.keys))
         or exists (select from mirror_subscription m
                     where m.seller_id = $1 and m.mode = $2 and m.phone_key = any(a.keys))`,
    [seller_id, mode, JSON.stringify(asked)],
  );

/** Which of these subscriptions the index has. */
export async function findIndexedIds(
  db: Database,
  { seller_id, mode }: KeyOwner,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    "select id from mirror_subscription where seller_id = $1 and mode = $2 and id = any($3)",
    [seller_id, mode, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";

/** Whether the copy can be asked, and how old it is. */
export type IndexStatus =
  | { state: "off" }
  /** Rows read of the lists that are being read; the total is null while nobody knows it. */
  | { state: "filling"; read: number; total: number | null }
  /** Since when everything in it holds, ISO 8601, and how many seconds ago that was. */
  | { state: "ready"; as_of: string; age_s: number };

interface Row {
  is_on: boolean;
  is_filled: boolean;
  as_of: Date | null;
  age_s: number | null;
  read: number;
  total: number | null;
}

/**
 * Where events of every kind come to the receiver, all that changed is known as of the last look at the newest rows;
 * else only as of the last look at everything. The rows of a copy that was begun anew fill it first.
 */
const AS_OF = `coalesce(
  case when exists (select from receiver v where v.seller_id = m.seller_id and v.mode = m.mode
                       and v.registered_at is not null)
       then m.read_at end,
  (select least(m.read_at, r.whole_since) from mirror_round r
    where r.seller_id = m.seller_id and r.mode = m.mode and r.list = 'subscriptions'
      -- least() takes no notice of a null.
      and r.whole_since is not null),
  m.filled_at)`;

/** Off as well while no key is connected: then there is nothing to copy. */
export async function readIndexStatus(db: Database, owner: KeyOwner): Promise<IndexStatus> {
  const { rows } = await db.query<Row>(
    `select m.is_on, m.filled_at is not null as is_filled, s.as_of,
            extract(epoch from now() - s.as_of)::float8 as age_s,
            coalesce(sum(r.rows_read), 0)::integer as read, sum(r.total)::integer as total
       from mirror m cross join lateral (select ${AS_OF} as as_of) as s
       left join mirror_round r on r.seller_id = m.seller_id and r.mode = m.mode
      where m.seller_id = $1 and m.mode = $2
      group by m.seller_id, m.mode, s.as_of`,
    [owner.seller_id, owner.mode],
  );
  const [row] = rows;
  if (!row?.is_on) return { state: "off" };
  if (!row.is_filled || !row.as_of)
    return { state: "filling", read: row.read, total: row.total };
  return { state: "ready", as_of: row.as_of.toISOString(), age_s: Math.max(0, row.age_s ?? 0) };
}

import "server-only";
import type { KeyOwner } from "#lib/billing/api-key.ts";
import type { Database } from "#lib/db/pool.ts";

/** Whether the copy can be asked, and how old it is. */
export type CopyState =
  | { state: "off" }
  /** Rows read of the lists that are being read; the total is null while nobody knows it. */
  | { state: "filling"; read: number; total: number | null }
  /** When the API was last looked at for it, ISO 8601, and how many seconds ago that was. */
  | { state: "ready"; as_of: string; age_s: number };

interface Row {
  is_on: boolean;
  is_filled: boolean;
  as_of: Date | null;
  age_s: number | null;
  read: number;
  total: number | null;
}

/** Off as well while no key is connected: then there is nothing to copy. */
export async function readCopyState(db: Database, owner: KeyOwner): Promise<CopyState> {
  const { rows } = await db.query<Row>(
    `select m.is_on, m.filled_at is not null as is_filled, coalesce(m.read_at, m.filled_at) as as_of,
            extract(epoch from now() - coalesce(m.read_at, m.filled_at))::float8 as age_s,
            coalesce(sum(r.rows_read), 0)::integer as read, sum(r.total)::integer as total
       from mirror m left join mirror_round r on r.seller_id = m.seller_id and r.mode = m.mode
      where m.seller_id = $1 and m.mode = $2
      group by m.seller_id, m.mode`,
    [owner.seller_id, owner.mode],
  );
  const [row] = rows;
  if (!row?.is_on) return { state: "off" };
  if (!row.is_filled || !row.as_of)
    return { state: "filling", read: row.read, total: row.total };
  return { state: "ready", as_of: row.as_of.toISOString(), age_s: Math.max(0, row.age_s ?? 0) };
}

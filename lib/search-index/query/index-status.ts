import "server-only";
import { cache } from "react";
import { concernsRow, queryRows } from "#contract/process/database.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import type { IndexAbsence } from "#lib/list-answer.ts";
import type { Mode } from "#lib/scope.ts";
import type { IndexAge } from "#lib/trace.ts";

/** Whether the search index can be queried, and how old it is. */
export type IndexStatus =
  | IndexAbsence
  /**
   * The index can be queried. All rows are at least as new as `as_of` (ISO 8601), which was `age_s`
   * seconds ago.
   */
  | { state: "ready"; as_of: string; age_s: number };

interface Row {
  is_filled: boolean;
  is_halted: boolean;
  as_of: Date | null;
  age_s: number | null;
  read: number;
  total: number | null;
}

/**
 * SQL of the time by which the index is up to date: the last answer of the feed if a full sync read
 * everything since the feed was begun, or the last incremental sync if the receiver gets every event,
 * else the last full sync. Before that, the time when the index was first filled.
 */
const AS_OF = `coalesce(
  case when exists (select from mirror_round r where r.seller_id = m.seller_id
                       and r.mode = m.mode and r.list = 'subscriptions'
                       and r.whole_since >= m.followed_from)
         or exists (select from receiver v where v.seller_id = m.seller_id and v.mode = m.mode
                       and v.registered_at is not null)
       then m.read_at end,
  (select least(m.read_at, r.whole_since) from mirror_round r
    where r.seller_id = m.seller_id and r.mode = m.mode and r.list = 'subscriptions'
      -- least() ignores nulls.
      and r.whole_since is not null),
  m.filled_at)`;

/**
 * The status of a seller's index; without a connected key it counts as filling. A page reads it once for all
 * its parts.
 */
export const readIndexStatus = (db: Database, { seller_id, mode }: KeyOwner) =>
  readStatus(db, seller_id, mode);

const readStatus = cache(
  async (db: Database, ...owner: [string, Mode]): Promise<IndexStatus> => {
    const { rows } = await db.query<Row>(
      `select m.filled_at is not null as is_filled, m.error is not null as is_halted, s.as_of,
            extract(epoch from now() - s.as_of)::float8 as age_s,
            coalesce(sum(r.rows_read), 0)::integer as read, sum(r.total)::integer as total
       from mirror m cross join lateral (select ${AS_OF} as as_of) as s
       left join mirror_round r on r.seller_id = m.seller_id and r.mode = m.mode
      where m.seller_id = $1 and m.mode = $2
      group by m.seller_id, m.mode, s.as_of`,
      owner,
    );
    const [row] = rows;
    if (!row) return { state: "filling", read: 0, total: null };
    const { is_filled, is_halted, as_of, age_s, read, total } = row;
    if (!is_filled || !as_of) return { state: is_halted ? "halted" : "filling", read, total };
    return { state: "ready", as_of: as_of.toISOString(), age_s: Math.max(0, age_s ?? 0) };
  },
);

/** Whether the daily sums, which reports read, are complete and count by the days of this zone. */
export const hasDailySums = (db: Database, { seller_id, mode }: KeyOwner, time_zone: string) =>
  concernsRow(
    db,
    `select from mirror_sums
      where seller_id = $1 and mode = $2 and time_zone = $3 and is_ready`,
    [seller_id, mode, time_zone],
  );

/** Number of indexes and the age of the oldest by state, over all sellers. */
export const readIndexAges = (db: Database) =>
  queryRows<IndexAge>(
    db,
    `select case when error is not null then 'troubled'
                 when filled_at is null then 'filling' else 'ready' end as state,
            count(*)::int as indexes,
            coalesce(extract(epoch from now() - min(coalesce(read_at, filled_at))), 0)::float8 as age
       from mirror group by 1`,
  );

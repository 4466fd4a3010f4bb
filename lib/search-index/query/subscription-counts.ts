import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { failureOf } from "#lib/failure.ts";
import type { Database } from "#lib/db/pool.ts";
import { readIndexStatus } from "#lib/search-index/query/index-status.ts";
import { isPaidOnce } from "#lib/search-index/query/one-time.ts";
import { inCountingQueue } from "#lib/fair-queue.ts";

/** How many subscriptions there are; the parts add up to `all`. */
export interface SubscriptionCounts {
  all: number;
  /** Paid one-time purchases; they are in no status. */
  one_time: number;
  /** By the API's name of the status. */
  statuses: Record<string, number>;
}

/** Counting more is too slow for every opened list. */
const MOST_COUNTED = 200_000;

/** Null while the index cannot tell, if there are too many, or if other counts are under way. */
export const readCounts = (db: Database, owner: KeyOwner): Promise<SubscriptionCounts | null> =>
  inCountingQueue(owner.seller_id, () => countEvery(db, owner)).catch((error: unknown) => {
    if (failureOf(error).kind === "rate_limited") return null;
    throw error;
  });

async function countEvery(db: Database, owner: KeyOwner): Promise<SubscriptionCounts | null> {
  const copy = await readIndexStatus(db, owner);
  if (copy.state !== "ready") return null;
  const whose = { seller_id: "$1", mode: "$2" };
  const { rows } = await db.query<{ status: string; count: number; once: number }>(
    `with few as (select from mirror_counted where seller_id = $1 and mode = $2
                   limit 1 offset ${MOST_COUNTED})
     select s.status, count(*)::integer as count,
            count(*) filter (where ${isPaidOnce("s", whose)})::integer as once
       from mirror_counted s
      where s.seller_id = $1 and s.mode = $2 and not exists (select from few)
      group by s.status`,
    [owner.seller_id, owner.mode],
  );
  if (rows.length === 0) return null;
  const once = rows.reduce((sum, row) => sum + row.once, 0);
  return {
    all: rows.reduce((sum, { count }) => sum + count, 0),
    one_time: once,
    statuses: Object.fromEntries(rows.map((row) => [row.status, row.count - row.once])),
  };
}

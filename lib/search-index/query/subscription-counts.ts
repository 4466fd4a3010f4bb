import "server-only";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { failureOf } from "#lib/failure.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { readCopyState } from "#lib/search-index/query/index-status.ts";
import { isPaidOnce } from "#lib/search-index/query/one-time.ts";
import { inCountingTurn } from "#lib/turns.ts";
import type { SubscriptionCounts } from "../../subscriptions/queries.ts";

/** Counting more is not worth its time with every list that is opened. */
const MOST_COUNTED = 200_000;

export async function getCounts(scope: Scope): Promise<{ counts: SubscriptionCounts | null }> {
  const { owner } = await requireSeller(scope, "subscriptions:read");
  return { counts: await readCounts(database(), owner) };
}

/** Each subscription once; null where the copy cannot tell, or not soon. */
export const readCounts = (db: Database, owner: KeyOwner): Promise<SubscriptionCounts | null> =>
  inCountingTurn(owner.seller_id, () => countEvery(db, owner)).catch((error: unknown) => {
    if (failureOf(error).kind === "rate_limited") return null;
    throw error;
  });

async function countEvery(db: Database, owner: KeyOwner): Promise<SubscriptionCounts | null> {
  const copy = await readCopyState(db, owner);
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

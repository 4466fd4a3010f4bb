import type { Database } from "../db/database.ts";
import type { Seller } from "../sellers/store.ts";

export interface DueRow {
  subscription_id: string;
  seller_id: number;
}

// A seller's records share tallies, so two sweeps that move some of them only wait for each other:
// while one has a seller the others look further. No request takes this lock.
const OF_FREE_SELLER = "pg_try_advisory_xact_lock(70, (seller_id % 2147483647)::int)";

// Two looks into indexes: the rows that are due by the clock itself, and those of the few sellers
// whose clocks are ahead. Locked in one statement; what another worker holds is left to it.
const CLAIM = `
  with usual as (
    select subscription_id, seller_id, next_transition_at from subscription
    where next_transition_at <= $1 and subscription_id <> all ($2) and ${OF_FREE_SELLER}
    order by next_transition_at limit $3 for no key update skip locked
  ), early as (
    select due.* from seller ahead cross join lateral (
      select subscription_id, seller_id, next_transition_at from subscription
      where seller_id = ahead.seller_id and next_transition_at > $1
        and next_transition_at <= $1 + ahead.clock_offset_ms * interval '1 millisecond'
        and subscription_id <> all ($2) and ${OF_FREE_SELLER}
      order by next_transition_at limit $3 for no key update skip locked
    ) due where ahead.clock_offset_ms <> 0 limit $3
  )
  select * from usual union all select * from early order by next_transition_at`;

/** Locks some that time moves by then, the oldest first, and those that no other worker holds. */
export async function claimDue(
  database: Database,
  now: Date,
  { except, limit }: { except: string[]; limit: number },
): Promise<DueRow[]> {
  const { rows } = await database.query<DueRow>(CLAIM, [now, except, limit]);
  return rows;
}

/** The seller's records that time moves by then, the earliest moment first. */
export async function selectDueIds(
  database: Database,
  { seller_id }: Pick<Seller, "seller_id">,
  until: Date,
): Promise<string[]> {
  const { rows } = await database.query<DueRow>(
    `select subscription_id from subscription
     where seller_id = $1 and next_transition_at <= $2 order by next_transition_at, position`,
    [seller_id, until],
  );
  return rows.map((row) => row.subscription_id);
}

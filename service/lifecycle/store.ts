import type { Database } from "../db/database.ts";

export interface DueRow {
  subscription_id: string;
  seller_id: number;
}

// A seller's subscriptions share counters, so two sweeps on one seller would wait for each
// other: while one has a seller, the others take other sellers. No request takes this lock.
const OF_FREE_SELLER = "pg_try_advisory_xact_lock(70, (seller_id % 2147483647)::int)";

// Sorted inside and filtered outside: "offset 0" keeps the planner from trying the lock of rows
// that are not taken, and the limit keeps it from sorting everything that is due.
const takenOf = (due: string) => `
  select taken.*, mine.is_mine is null as is_held
  from (select * from (${due} order by next_transition_at offset 0) as due
        where ${OF_FREE_SELLER} limit $3) as taken
  left join lateral (
    select true as is_mine from subscription s
    where s.subscription_id = taken.subscription_id
      and s.next_transition_at = taken.next_transition_at
    for no key update skip locked) as mine on true`;

// Two index scans: rows that are due by real time, and those of the few sellers whose clocks
// are ahead.
const CLAIM = `
  with usual as materialized (${takenOf(`
    select subscription_id, seller_id, next_transition_at from subscription
    where next_transition_at <= $1 and subscription_id <> all ($2)`)}
  ), early as materialized (
    select due.* from seller ahead cross join lateral (${takenOf(`
      select subscription_id, seller_id, next_transition_at from subscription
      where seller_id = ahead.seller_id and next_transition_at > $1
        and next_transition_at <= $1 + ahead.clock_offset_ms * interval '1 millisecond'
        and subscription_id <> all ($2)`)}
    ) due where ahead.clock_offset_ms <> 0 limit $3
  )
  select * from usual union all select * from early order by next_transition_at`;

/**
 * Locks some due subscriptions, the oldest first, of sellers that no other sweep holds.
 * @returns `held`: ids locked by requests, which are left to them
 */
export async function claimDue(
  database: Database,
  now: Date,
  { except, limit }: { except: string[]; limit: number },
): Promise<{ claimed: DueRow[]; held: string[] }> {
  const { rows } = await database.query<DueRow & { is_held: boolean }>(CLAIM, [
    now,
    except,
    limit,
  ]);
  return {
    claimed: rows.filter(({ is_held }) => !is_held),
    held: rows.filter(({ is_held }) => is_held).map(({ subscription_id }) => subscription_id),
  };
}

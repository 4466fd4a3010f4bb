import type pg from "pg";
import { concernsRow, queryRows, transaction, type Database } from "../db/database.ts";
import { finishEach } from "../finish-each.ts";
import { findSeller, sellerNow, type Seller } from "../sellers/store.ts";
import { applyDueChanges } from "../subscriptions/catch-up.ts";
import { lockCounts, lockSubscription } from "../subscriptions/store.ts";

// The number of subscriptions in a transaction. It locks their sellers' counters, so it is small
// and no request waits long.
const BATCH = 25;

export interface SweepContext {
  pool: pg.Pool;
  now: () => Date;
  onError?: (error: unknown) => void;
  /** Stops the sweep after the current batch. */
  signal?: AbortSignal | undefined;
}

/**
 * Applies all due status changes. Concurrent sweeps in any number of processes share the work
 * and skip locked rows.
 * @returns how many subscriptions changed
 */
export async function sweepLifecycle(sweep: SweepContext): Promise<number> {
  const { pool, now, signal } = sweep;
  const retimed = await queryRows<{ seller_id: number }>(
    pool,
    "select seller_id from seller where retime_after is not null order by seller_id",
  );
  await finishEach(retimed, ({ seller_id }) => retimeSome(pool, seller_id), sweep);
  const moment = now();
  // Unchanged or failed ones are not tried again in this sweep, so that it always ends.
  const except: string[] = [];
  let moved = 0;
  while (!signal?.aborted) {
    let claimed: DueRow[] = [];
    let held: string[] = [];
    const still = await transaction(pool, async (database) => {
      ({ claimed, held } = await lockDueSubscriptions(database, moment, {
        except,
        limit: BATCH,
      }));
      return moveAll(database, claimed, moment);
    }).catch((error: unknown) => {
      if (claimed.length === 0) throw error;
      return moveSingly(sweep, claimed, moment);
    });
    if (claimed.length + held.length === 0) return moved;
    except.push(...still, ...held);
    moved += claimed.length - still.length;
  }
  return moved;
}

/**
 * Recalculates the due times of some subscriptions after a change of time zone or grace period.
 * @returns false if nothing is left, or another sweep does it
 */
const retimeSome = (pool: pg.Pool, sellerId: number) =>
  transaction(pool, async (database) => {
    const isMine = await concernsRow(
      database,
      `select from seller where seller_id = $1 and retime_after is not null
       for no key update skip locked`,
      [sellerId],
    );
    if (isMine) await database.query("select retime_subscriptions($1)", [sellerId]);
    return isMine;
  });

async function moveAll(database: Database, rows: DueRow[], moment: Date): Promise<string[]> {
  const sellers = new Map<number, Seller | null>();
  const still: string[] = [];
  for (const { subscription_id, seller_id } of rows) {
    if (!sellers.has(seller_id)) {
      sellers.set(seller_id, await findSeller(database, seller_id));
      await lockCounts(database, seller_id);
    }
    const seller = sellers.get(seller_id);
    if (!seller || !(await move(database, seller, subscription_id, moment)))
      still.push(subscription_id);
  }
  return still;
}

async function move(database: Database, seller: Seller, id: string, moment: Date) {
  const found = await lockSubscription(database, seller.seller_id, id);
  return (
    found &&
    (await applyDueChanges(database, seller, found, sellerNow(seller, moment))) !== found
  );
}

/**
 * Applies the due changes of each subscription in a transaction of its own, so that a failing one
 * does not block the others.
 */
async function moveSingly({ pool, onError }: SweepContext, rows: DueRow[], moment: Date) {
  const still: string[] = [];
  for (const row of rows)
    try {
      still.push(...(await transaction(pool, (database) => moveAll(database, [row], moment))));
    } catch (error) {
      onError?.(error);
      still.push(row.subscription_id);
    }
  return still;
}

interface DueRow {
  subscription_id: string;
  seller_id: number;
}

// A seller's subscriptions share counters, so two sweeps on one seller would wait for each
// other: while one has a seller, the others take other sellers. No request takes this lock.
const OF_FREE_SELLER = "pg_try_advisory_xact_lock(70, (seller_id % 2147483647)::int)";

// The rows are sorted in the inner query and filtered in the outer one: "offset 0" keeps the
// planner from trying the lock of rows that are not taken, and the limit keeps it from sorting
// everything that is due.
const takenOf = (due: string) => `
  select taken.*, mine.is_mine is null as is_held
  from (select * from (${due} order by next_transition_at offset 0) as due
        where ${OF_FREE_SELLER} limit $3) as taken
  left join lateral (
    select true as is_mine from subscription s
    where s.seller_id = taken.seller_id and s.subscription_id = taken.subscription_id
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
export async function lockDueSubscriptions(
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

import type pg from "pg";
import { transaction, type Database } from "../db/database.ts";
import { emitEvents } from "../subscriptions/emit-events.ts";
import { findTransition } from "../subscriptions/transitions.ts";

/** Spec choice, failed payments: idle time after which a checkout counts as abandoned. */
export const ABANDONED_AFTER = 24 * 60 * 60 * 1000;
const BATCH = 100;

interface AbandonedCheckout {
  subscription_id: string;
  seller_id: number;
  is_one_time: boolean;
  abandoned_at: Date;
}

const IDLE_SINCE = "coalesce(s.checkout_activity_at, s.created_at)";
const MILLISECONDS = "interval '1 millisecond'";
// Matches the partial indexes of migrations 0008 and 0010. A checkout is not abandoned while a
// provider still owes an answer, because its outcome is unknown.
const WAITING = `s.status = 'pending_checkout' and s.abandoned_at is null and not exists (
  select from checkout_attempt a
  where a.seller_id = s.seller_id and a.subscription_id = s.subscription_id
    and a.state in ('pending', 'returning'))`;

const mark = (chosen: string, seller: string) => `
  update subscription s set abandoned_at = ${IDLE_SINCE} + $2 * ${MILLISECONDS}
  from (${chosen}) as chosen
  where s.seller_id = ${seller} and s.subscription_id = chosen.subscription_id
  returning s.subscription_id, s.seller_id, s.is_one_time, s.position, s.abandoned_at`;

// Two index scans: one by real time, and one for the few sellers whose clocks are ahead.
const OF_ALL = `
  with usual as (
    select s.seller_id, s.subscription_id from subscription s
    where ${WAITING} and ${IDLE_SINCE} <= $1::timestamptz - $2 * ${MILLISECONDS}
    order by ${IDLE_SINCE} limit $3 for no key update skip locked
  ), early as (
    select idle.* from seller ahead cross join lateral (
      select s.seller_id, s.subscription_id from subscription s
      where s.seller_id = ahead.seller_id and ${WAITING}
        and ${IDLE_SINCE} <= $1::timestamptz + (ahead.clock_offset_ms - $2) * ${MILLISECONDS}
      order by ${IDLE_SINCE} limit $3 for no key update skip locked
    ) idle where ahead.clock_offset_ms <> 0 limit $3
  )
  ${mark("select * from usual union select * from early", "chosen.seller_id")}`;

const OF_SELLER = `
  with idle as (
    select s.subscription_id from subscription s
    where s.seller_id = $4 and ${WAITING} and ${IDLE_SINCE} <= $1::timestamptz - $2 * ${MILLISECONDS}
    order by ${IDLE_SINCE}, s.position limit $3 for no key update
  ), marked as (${mark("select subscription_id from idle", "$4")})
  select * from marked order by abandoned_at, position`;

interface Options {
  /** Milliseconds without activity after which a checkout counts as abandoned. */
  after?: number;
  /** Stops the work after the current batch. */
  signal?: AbortSignal | undefined;
}

/**
 * Marks idle checkouts as abandoned and emits an event for each, once; their links stay valid.
 * Concurrent calls share the work.
 * @returns how many were marked
 */
export async function abandonCheckouts(
  pool: pg.Pool,
  now: Date,
  { after = ABANDONED_AFTER, signal }: Options = {},
): Promise<number> {
  for (let abandoned = 0; ;) {
    const some = await transaction(pool, (database) =>
      announce(database, OF_ALL, [now, after, BATCH]),
    );
    abandoned += some.length;
    if (some.length === 0 || signal?.aborted) return abandoned;
  }
}

/** Marks the abandoned checkouts of one seller, up to a time of that seller's clock, in order. */
export const abandonCheckoutsOfSeller = (
  database: Database,
  sellerId: number,
  { until, after, limit }: { until: Date; after: number; limit: number },
): Promise<AbandonedCheckout[]> =>
  announce(database, OF_SELLER, [until, after, limit, sellerId]);

async function announce(
  database: Database,
  claim: string,
  values: unknown[],
): Promise<AbandonedCheckout[]> {
  const { rows } = await database.query<AbandonedCheckout>(claim, values);
  for (const { subscription_id, seller_id, is_one_time: isOneTime, abandoned_at } of rows) {
    const move = findTransition("pending_checkout", "payment_failed", { isOneTime });
    if (move.outcome !== "changed") continue;
    await emitEvents(database, {
      seller_id,
      subscription_id,
      events: move.events,
      old_status: "pending_checkout",
      new_status: move.to,
      reason: "abandoned",
      created_at: abandoned_at,
    });
  }
  return rows;
}

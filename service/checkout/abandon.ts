import type pg from "pg";
import { transaction, type Database } from "../db/database.ts";
import { emit } from "../outbox/emit.ts";
import { transition } from "../subscriptions/transitions.ts";

/** ADR 0104: how long nothing has happened at a checkout before it counts as abandoned. */
export const ABANDONED_AFTER = 24 * 60 * 60 * 1000;
const BATCH = 100;

interface Idle {
  subscription_id: string;
  seller_id: number;
  is_one_time: boolean;
  abandoned_at: Date;
}

// Two looks into one index: by the clock itself, and for the few sellers whose clocks are ahead.
// While a provider still owes an answer nothing is abandoned: the outcome is not known.
const CLAIM = `
  with usual as (
    select s.subscription_id from subscription s
    where s.status = 'pending_checkout' and s.abandoned_at is null
      and coalesce(s.checkout_activity_at, s.created_at) <= $1::timestamptz - $2 * interval '1 millisecond'
      and not exists (select from checkout_attempt a
        where a.subscription_id = s.subscription_id and a.state in ('pending', 'returning'))
    order by coalesce(s.checkout_activity_at, s.created_at) limit $3
    for no key update skip locked
  ), early as (
    select idle.subscription_id from seller ahead cross join lateral (
      select s.subscription_id from subscription s
      where s.seller_id = ahead.seller_id and s.status = 'pending_checkout'
        and s.abandoned_at is null
        and coalesce(s.checkout_activity_at, s.created_at)
          <= $1::timestamptz + (ahead.clock_offset_ms - $2) * interval '1 millisecond'
        and not exists (select from checkout_attempt a
          where a.subscription_id = s.subscription_id and a.state in ('pending', 'returning'))
      limit $3 for no key update skip locked
    ) idle where ahead.clock_offset_ms <> 0 limit $3
  )
  update subscription s
  set abandoned_at = coalesce(checkout_activity_at, created_at) + $2 * interval '1 millisecond'
  where subscription_id in (select subscription_id from usual union select subscription_id from early)
  returning subscription_id, seller_id, is_one_time, abandoned_at`;

interface Options {
  /** Milliseconds. */
  after?: number;
  /** Ends after the batch that is under way. */
  signal?: AbortSignal | undefined;
}

/**
 * Says of each checkout, once, that its buyer went away; the link stays valid. Any number of these
 * share the work. @returns how many it said so of
 */
export async function abandonCheckouts(
  pool: pg.Pool,
  now: Date,
  { after = ABANDONED_AFTER, signal }: Options = {},
): Promise<number> {
  for (let abandoned = 0; ;) {
    const count = await transaction(pool, (database) => abandonSome(database, now, after));
    abandoned += count;
    if (count === 0 || signal?.aborted) return abandoned;
  }
}

async function abandonSome(database: Database, now: Date, after: number): Promise<number> {
  const { rows } = await database.query<Idle>(CLAIM, [now, after, BATCH]);
  for (const { is_one_time: isOneTime, abandoned_at, ...record } of rows) {
    const move = transition("pending_checkout", "payment_failed", { isOneTime });
    if (move.outcome !== "changed") continue;
    await emit(database, {
      ...record,
      events: move.events,
      old_status: "pending_checkout",
      new_status: move.to,
      reason: "abandoned",
      created_at: abandoned_at,
    });
  }
  return rows.length;
}

import type { Attempt } from "../../checkout/store.ts";
import { queryRows, queryValue, type Database } from "../../db/database.ts";
import type { Seller } from "../../sellers/store.ts";
import type { SubscriptionRow } from "../../subscriptions/store.ts";

type TimedRow = Pick<
  SubscriptionRow,
  "subscription_id" | "status" | "next_billing_cycle" | "is_one_time"
>;

export const selectTimedChangesUntil = (
  database: Database,
  sellerId: number,
  { until }: { until: Date },
) =>
  queryRows<TimedRow>(
    database,
    `select subscription_id, status, next_billing_cycle, is_one_time from subscription
     where seller_id = $1 and next_transition_at <= $2 order by position`,
    [sellerId, until],
  );

const IDLE_SINCE = "coalesce(s.checkout_activity_at, s.created_at)";
const WAITS = "s.status = 'pending_checkout' and s.abandoned_at is null";

/** The checkouts that are abandoned by then, also after a payment that times out before. */
export const selectAbandonedCheckoutsUntil = (
  database: Database,
  sellerId: number,
  { until, after }: { until: Date; after: number },
) =>
  queryRows<Pick<TimedRow, "subscription_id" | "is_one_time"> & { at: Date }>(
    database,
    `select l.* from (
       select s.position, s.subscription_id, s.is_one_time,
         greatest(${IDLE_SINCE}, p.ends_at) + $3 * interval '1 millisecond' as at
       from subscription s cross join lateral (
         select max(a.provider_expires_at) as ends_at,
           coalesce(bool_or(a.state = 'returning' or a.provider_expires_at is null), false) as never
         from checkout_attempt a
         where a.seller_id = $1 and a.subscription_id = s.subscription_id
           and a.state in ('pending', 'returning')
       ) p
       where s.seller_id = $1 and ${WAITS} and not p.never
         and ${IDLE_SINCE} <= $2::timestamptz - $3 * interval '1 millisecond'
     ) l where l.at <= $2 order by l.position`,
    [sellerId, until, after],
  );

/** A payment and when it times out, with its subscription's current state. */
export type ExpiringPayment = TimedRow &
  Pick<Attempt, "attempt_id" | "period_start" | "schedule"> & {
    at: Date;
    current_schedule: number;
  };

export const selectExpiringPaymentsUntil = (
  database: Database,
  sellerId: number,
  { until, except = [] }: { until: Date; except?: string[] },
) =>
  queryRows<ExpiringPayment>(
    database,
    `select a.attempt_id, a.period_start, a.schedule, a.provider_expires_at as at,
       s.subscription_id, s.status, s.next_billing_cycle, s.is_one_time,
       s.schedule as current_schedule
     from checkout_attempt a join subscription s using (seller_id, subscription_id)
     where a.seller_id = $1 and a.state = 'pending' and a.provider_expires_at <= $2
       and a.attempt_id <> all ($3)
     order by a.provider_expires_at, s.position, a.created_at, a.attempt_id`,
    [sellerId, until, except],
  );

export const selectPendingAttempts = (database: Database, sellerId: number) =>
  queryRows<Pick<Attempt, "attempt_id" | "subscription_id">>(
    database,
    `select attempt_id, subscription_id from checkout_attempt
     where seller_id = $1 and state = 'pending' and account_id is null order by created_at, attempt_id`,
    [sellerId],
  );

/** The time of the next time-based change; null if there is none. */
export const findNextChangeAt = (
  database: Database,
  sellerId: number,
  { after, except = [] }: { after: number; except?: string[] },
) =>
  queryValue<Date>(
    database,
    `select least(
       (select min(next_transition_at) from subscription where seller_id = $1
        and next_transition_at is not null and subscription_id <> all ($2)),
       (select min(provider_expires_at) from checkout_attempt where seller_id = $1
        and state = 'pending' and attempt_id <> all ($2)),
       (select ${IDLE_SINCE} + $3 * interval '1 millisecond' from subscription s
        where s.seller_id = $1 and ${WAITS} and not exists (
          select from checkout_attempt a
          where a.seller_id = $1 and a.subscription_id = s.subscription_id
          and a.state in ('pending', 'returning'))
        order by ${IDLE_SINCE} limit 1)) as next`,
    [sellerId, except, after],
  );

export async function selectDueBatch(
  database: Database,
  sellerId: number,
  { at, except, limit }: { at: Date; except: string[]; limit: number },
): Promise<string[]> {
  const { rows } = await database.query<{ subscription_id: string }>(
    `select subscription_id from subscription
     where seller_id = $1 and next_transition_at <= $2 and subscription_id <> all ($3)
     order by next_transition_at, position limit $4`,
    [sellerId, at, except, limit],
  );
  return rows.map((row) => row.subscription_id);
}

export async function selectBuyerNames(
  database: Database,
  sellerId: number,
  ids: string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await database.query<{ subscription_id: string; full_name: string }>(
    `select subscription_id, full_name from subscription
     where seller_id = $1 and subscription_id = any ($2)`,
    [sellerId, ids],
  );
  return new Map(rows.map((row) => [row.subscription_id, row.full_name]));
}

/** Moves the clock forward only: if two requests move it at once, the later time wins. */
export const moveClockTo = (
  database: Database,
  { seller_id }: Pick<Seller, "seller_id">,
  { target, realNow }: { target: Date; realNow: Date },
) =>
  database.query(
    "update seller set clock_offset_ms = greatest(clock_offset_ms, $2) where seller_id = $1",
    [seller_id, target.getTime() - realNow.getTime()],
  );

export const resetClock = (database: Database, sellerId: number) =>
  database.query("update seller set clock_offset_ms = 0 where seller_id = $1", [sellerId]);

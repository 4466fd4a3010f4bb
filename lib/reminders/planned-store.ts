import "server-only";
import type { Run } from "#contract/process/reminder-calendar.ts";
import { IS_SAID_PAID } from "#lib/collection/by-hand/said-paid-store.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { isCurrentContactSql } from "#lib/money/debt.ts";
import { remindableSql } from "#lib/search-index/query/remindable.ts";
import type { Due } from "./store.ts";

/** SQL: the planned reminder p goes by its step no more; it went, is going, or may not go. */
const IS_SETTLED = `(p.outcome = 'handing' or p.again_at is null
    or p.message_id is not null and p.state <> 'expired') and not p.is_held`;

export interface RowToCome {
  subscription_id: string;
  full_name: string;
  phone: string;
  email: string;
  moment: Date;
  is_held: boolean;
  /** Null if a promise, a snooze or a word that it is paid holds it. */
  hold_id: number | null;
  /** Of all rows that are not held. */
  count: number;
}

/** The subscriptions of a run that were not handed over yet, also those that are held. */
export async function selectToCome(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { step: { kind, step_id }, from, to }: Run,
  { today, limit }: { today: string; limit: number },
): Promise<RowToCome[]> {
  const { moment, fits } = remindableSql(kind === "checkout_left");
  const ofNow = isCurrentContactSql("k", "s.next_billing_cycle");
  const { rows } = await db.query<RowToCome>(
    `with to_come as (
       select s.id as subscription_id, coalesce(s.full_name, '') as full_name,
              coalesce(s.phone, '') as phone, coalesce(s.email, '') as email, ${moment} as moment,
              case when p.is_held then p.id::int end as hold_id,
              coalesce(p.is_held, false)
                or coalesce(${ofNow} and (k.promised_for >= $5 or k.snoozed_until > $5), false)
                or exists (select from contact c where c.seller_id = $1 and c.mode = $2
                     and c.subscription_id = s.id and ${IS_SAID_PAID}) as is_held
         from indexed_subscription s
         left join planned_reminder p on p.seller_id = $1 and p.mode = $2 and p.subscription_id = s.id
           and p.step_id = $6 and p.moment = date_trunc('milliseconds', ${moment})
         left join collection_state k
           on k.seller_id = $1 and k.mode = $2 and k.subscription_id = s.id
        where s.seller_id = $1 and s.mode = $2 and ${moment} >= $3 and ${moment} < $4 and ${fits}
          and (p.id is null or not (${IS_SETTLED})))
     select *, (count(*) filter (where not is_held) over ())::int as count
       from to_come order by moment, subscription_id limit $7`,
    [seller_id, mode, from, to, today, step_id, limit],
  );
  return rows;
}

export interface SettledRow {
  step_id: number;
  subscription_id: string;
  full_name: string;
  phone: string;
  email: string;
  at: Date;
  outcome: string;
  message_id: string | null;
  state: string | null;
  channel: string | null;
  /** Of all rows that went, or are going. */
  count: number;
}

/** What was handed over in an interval, or was not to be, with what became of it. */
export async function selectSettled(
  db: Database,
  { seller_id, mode }: KeyOwner,
  [from, to]: [Date, Date],
  limit: number,
): Promise<SettledRow[]> {
  const { rows } = await db.query<SettledRow>(
    `select p.step_id::int, p.subscription_id, coalesce(s.full_name, '') as full_name,
            coalesce(s.phone, '') as phone, coalesce(s.email, '') as email,
            coalesce(p.sent_at, p.planned_at) as at, p.outcome, p.message_id, p.state, p.channel,
            (count(*) filter (where p.outcome = 'handing'
               or p.state not in ('failed', 'expired', 'withdrawn')) over ())::int as count
       from planned_reminder p
       left join indexed_subscription s
         on s.seller_id = p.seller_id and s.mode = p.mode and s.id = p.subscription_id
      where p.seller_id = $1 and p.mode = $2 and p.planned_at >= $3 and p.planned_at < $4
        and ${IS_SETTLED} and p.outcome <> 'without_link'
      order by at, p.id limit $5`,
    [seller_id, mode, from, to, limit],
  );
  return rows;
}

/**
 * Holds a reminder for its billing date.
 * @returns false if it was handed over already
 */
export async function holdPlanned(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { subscription_id, step_id, moment }: Due,
  at: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into planned_reminder as p (seller_id, mode, subscription_id, step_id, moment, outcome,
       again_at, planned_at, is_held)
     values ($1, $2, $3, $4, $5, 'held', $6, $6, true)
     on conflict (seller_id, mode, subscription_id, step_id, moment) do update set is_held = true
       where not (${IS_SETTLED})`,
    [seller_id, mode, subscription_id, step_id, moment, at],
  );
  return rowCount === 1;
}

/** @returns false if there is no such hold */
export async function releasePlanned(
  db: Database,
  { seller_id, mode }: KeyOwner,
  id: number,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update planned_reminder set is_held = false
      where seller_id = $1 and mode = $2 and id = $3 and is_held`,
    [seller_id, mode, id],
  );
  return rowCount === 1;
}

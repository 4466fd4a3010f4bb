import "server-only";
import { concernsRow } from "#contract/process/database.ts";
import type { PlannedPlace } from "#contract/process/planned-page.ts";
import type { Run } from "#contract/process/reminder-calendar.ts";
import { IS_SAID_PAID } from "#lib/collection/by-hand/said-paid-store.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { isCurrentContactSql } from "#lib/money/debt.ts";
import { remindableSql } from "#lib/search-index/query/remindable.ts";
import type { OptedOut } from "./opted-out.ts";
import type { Due } from "./store.ts";

/**
 * SQL condition: the step will not send the planned reminder `p` any more, because it was handed
 * over, is being handed over, or must not be sent.
 */
const IS_SETTLED = `(p.outcome = 'handing' or p.again_at is null
    or p.message_id is not null and p.state <> 'expired') and not p.is_held`;

interface RowToCome {
  subscription_id: string;
  full_name: string;
  phone: string;
  email: string;
  moment: Date;
  is_held: boolean;
  /**
   * A member's hold; null without one, though a promise, a snooze or a note that the buyer says it
   * is paid may hold the reminder.
   */
  hold_id: number | null;
}

type Page = [after: Pick<PlannedPlace, "moment" | "id"> | null, limit: number];

/** Separates the counts, which each row repeats, from the rows; an empty page is one row without id. */
function countedRows<Row>(
  rows: (Row & { subscription_id: string | null; count: number; held: number })[],
): { count: number; held: number; rows: Row[] } {
  const [{ count, held } = { count: 0, held: 0 }] = rows;
  return { count, held, rows: rows.filter(({ subscription_id }) => subscription_id !== null) };
}

/** SQL of a page of `found`, with the counts of all of `found`; the page begins after $3 and $4. */
const pageSql = ({ counted, limit }: { counted: string; limit: string }) =>
  `select counted.count, counted.held, page.* from (
       select count(*) filter (where ${counted})::int as count,
              count(*) filter (where is_held)::int as held from found) counted
     left join (
       select * from found where $3::timestamptz is null or (moment, row_id) > ($3, $4)
        order by moment, row_id limit ${limit}) page on true
    order by page.moment, page.row_id`;

/**
 * The subscriptions of a run whose reminder is held or still to be sent, without buyers who opted
 * out.
 */
export async function selectToCome(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { step: { kind, step_id }, from, to }: Run,
  { today, opted_out }: { today: string; opted_out: OptedOut },
  ...[after, limit]: Page
) {
  const { moment, fits } = remindableSql(kind === "checkout_left");
  const ofNow = isCurrentContactSql("k", "s.next_billing_cycle");
  const { rows } = await db.query<RowToCome & { count: number; held: number }>(
    `with found as materialized (
       select s.id as subscription_id, s.id as row_id, coalesce(s.full_name, '') as full_name,
              coalesce(s.phone, '') as phone, coalesce(s.email, '') as email,
              date_trunc('milliseconds', ${moment}) as moment,
              case when p.is_held then p.id::int end as hold_id,
              coalesce(p.is_held, false)
                or coalesce(${ofNow} and (k.promised_for >= $7 or k.snoozed_until > $7), false)
                or exists (select from contact c where c.seller_id = $1 and c.mode = $2
                     and c.subscription_id = s.id and ${IS_SAID_PAID}) as is_held
         from indexed_subscription s
         left join planned_reminder p on p.seller_id = $1 and p.mode = $2 and p.subscription_id = s.id
           and p.step_id = $8 and p.moment = date_trunc('milliseconds', ${moment})
         left join collection_state k
           on k.seller_id = $1 and k.mode = $2 and k.subscription_id = s.id
        where s.seller_id = $1 and s.mode = $2 and ${moment} >= $5 and ${moment} < $6 and ${fits}
          and (p.id is null or not (${IS_SETTLED}))
          and (s.phone_key = '' or s.phone_key <> all ($9))
          and lower(coalesce(s.email, '')) <> all ($10))
     ${pageSql({ counted: "not is_held", limit: "$11" })}`,
    [
      seller_id,
      mode,
      after?.moment ?? null,
      after?.id ?? null,
      from,
      to,
      today,
      step_id,
      opted_out.phone_keys,
      opted_out.emails,
      limit,
    ],
  );
  return countedRows(rows);
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
  moment: Date;
  row_id: string;
}

/** Reminders that were handed over or withdrawn in an interval, with their results. */
export async function selectSettled(
  db: Database,
  { seller_id, mode }: KeyOwner,
  [from, to]: [Date, Date],
  ...[after, limit]: Page
) {
  const { rows } = await db.query<SettledRow & { count: number; held: number }>(
    `with found as materialized (select p.step_id::int, p.subscription_id, coalesce(s.full_name, '') as full_name,
            coalesce(s.phone, '') as phone, coalesce(s.email, '') as email,
            coalesce(p.sent_at, p.planned_at) as at, p.outcome, p.message_id, p.state, p.channel,
            date_trunc('milliseconds', p.planned_at) as moment, lpad(p.id::text, 20, '0') as row_id,
            false as is_held
       from planned_reminder p
       left join indexed_subscription s
         on s.seller_id = p.seller_id and s.mode = p.mode and s.id = p.subscription_id
      where p.seller_id = $1 and p.mode = $2 and p.planned_at >= $5 and p.planned_at < $6
        and ${IS_SETTLED} and p.outcome <> 'without_link')
     ${pageSql({
       counted: "outcome = 'handing' or state not in ('failed', 'expired', 'withdrawn')",
       limit: "$7",
     })}`,
    [seller_id, mode, after?.moment ?? null, after?.id ?? null, from, to, limit],
  );
  return countedRows(rows);
}

/**
 * Holds a reminder for its billing date.
 * @returns false if the reminder was handed over or withdrawn already
 */
export const holdPlanned = (
  db: Database,
  { seller_id, mode }: KeyOwner,
  { subscription_id, step_id, moment }: Due,
  at: Date,
) =>
  concernsRow(
    db,
    `insert into planned_reminder as p (seller_id, mode, subscription_id, step_id, moment, outcome,
       again_at, planned_at, is_held)
     values ($1, $2, $3, $4, $5, 'held', $6, $6, true)
     on conflict (seller_id, mode, subscription_id, step_id, moment) do update set is_held = true
       where not (${IS_SETTLED})`,
    [seller_id, mode, subscription_id, step_id, moment, at],
  );

/** @returns false if there is no such hold */
export const releasePlanned = (db: Database, { seller_id, mode }: KeyOwner, id: number) =>
  concernsRow(
    db,
    `update planned_reminder set is_held = false
      where seller_id = $1 and mode = $2 and id = $3 and is_held`,
    [seller_id, mode, id],
  );

import { SENDING_CHANNELS } from "#contract/names.ts";
import { queryRow, queryRows, queryValue, type Database } from "../db/database.ts";
import { firstChannelSql, MESSAGES_CHANNEL } from "../messages/outbox.ts";
import type { Run, ReminderStep } from "#contract/process/reminder-calendar.ts";

/** SQL: the customer c of the subscription s opted out by phone or by mail. */
export const OPTED_OUT = `exists (
    select from reminder_recipient o where o.seller_id = c.seller_id
      and o.opted_out_at is not null and o.phone_key <> '' and o.phone_key = c.phone_key)
  or exists (
    select from reminder_recipient o where o.seller_id = c.seller_id
      and o.opted_out_at is not null and s.email <> '' and o.email = lower(s.email))`;

/** SQL: the hold h keeps a step of the subscription s from being sent on a day. */
export const holdsSql = ({ seller, day, step }: Record<"seller" | "day" | "step", string>) =>
  `h.seller_id = ${seller} and h.subscription_id = s.subscription_id
    and (h.until > ${day} or h.step_id = ${step})
    and (h.schedule is null or (h.schedule = s.schedule
      and h.period_start is not distinct from s.next_billing_cycle))`;

const IDLE_SINCE = "coalesce(s.checkout_activity_at, s.created_at)";

/**
 * SQL of the subscriptions of a run in order: of seller $1, with `moment` from $2 and before $3,
 * after the cursor ($4, $5), at most $6. `moment` is the billing date, or the time since when the
 * checkout is left.
 */
function candidatesSql({ kind }: Pick<ReminderStep, "kind">): string {
  const isLeft = kind === "checkout_left";
  const moment = isLeft ? IDLE_SINCE : "s.next_billing_cycle";
  const status = isLeft
    ? "s.status = 'pending_checkout'"
    : "s.status in ('active', 'due') and not s.is_one_time";
  return `select s.subscription_id, s.seller_id, s.customer_id, s.schedule, s.phone, s.email,
      s.full_name, s.next_billing_cycle, ${moment} as moment
    from subscription s
    where s.seller_id = $1 and ${status} and ${moment} >= $2 and ${moment} < $3
      and (${moment}, s.subscription_id) > ($4::timestamptz, $5::uuid)
    order by ${moment}, s.subscription_id limit $6`;
}

/** SQL: the cause of a message, so that a step is sent once for a subscription and period. */
export const causeSql = (step: string, row: string) =>
  `'reminder:' || ${step} || ':' || ${row}.subscription_id || ':' || ${row}.schedule || ':'
    || coalesce(extract(epoch from ${row}.next_billing_cycle)::bigint::text, 'new')`;

export const exceptFor = (channel: string | null): string[] =>
  SENDING_CHANNELS.filter((name) => channel !== null && name !== channel);

export const FIRST_ID = "00000000-0000-0000-0000-000000000000";

interface Cursor {
  run_day: string | null;
  run_after: Date | null;
  run_after_id: string | null;
  run_ended: boolean;
}

/** Locks a step for planning; null while another process plans it, and once it is removed. */
export const lockStep = (database: Database, sellerId: number, stepId: number) =>
  queryRow<Cursor>(
    database,
    `select run_day::text as run_day, run_after, run_after_id, run_ended from reminder_step
     where seller_id = $1 and step_id = $2 for update skip locked`,
    [sellerId, stepId],
  );

export const saveCursor = (
  database: Database,
  sellerId: number,
  stepId: number,
  { run_day, run_after, run_after_id, run_ended }: Cursor,
) =>
  database.query(
    `update reminder_step set run_day = $3, run_after = $4, run_after_id = $5, run_ended = $6
     where seller_id = $1 and step_id = $2`,
    [sellerId, stepId, run_day, run_after, run_after_id, run_ended],
  );

interface Batch {
  /** The number of rows that were examined. */
  count: number;
  moment: Date | null;
  subscription_id: string | null;
}

/** SQL that queues the candidates that may be reminded; see `queueBatch` for its values. */
const queueBatchSql = (step: Pick<ReminderStep, "kind">) => {
  const isLeft = step.kind === "checkout_left";
  const channel = firstChannelSql({
    seller: "$1",
    phone: "s.phone",
    email: "s.email",
    except: "$11::text[]",
  });
  return `with batch as materialized (${candidatesSql(step)}),
     fitting as materialized (
       select s.*, ${causeSql("$7::bigint", "s")} as cause, ${channel} as channel_id
       from batch s join customer c on c.seller_id = $1 and c.id = s.customer_id
       where not (${OPTED_OUT})
         and not exists (select from reminder_hold h
           where ${holdsSql({ seller: "$1", day: "$8::date", step: "$7" })})),
     queued as (
       insert into message (message_id, seller_id, channel_id, kind, cause, subscription_id,
         phone, email, language, queued_at, state_at, next_at, expires_at, refused_by)
       select gen_random_uuid(), $1, channel_id, 'reminder', cause, subscription_id, phone, email,
         $12, $9::timestamptz, $9, $9, $10::timestamptz, $11
       from fitting where channel_id is not null
       on conflict (seller_id, cause) do nothing
       returning message_id, subscription_id),
     noted as (
       insert into reminder (message_id, seller_id, step_id, subscription_id, customer_id, schedule,
         period_start, idle_since, planned_at, until)
       select q.message_id, $1, $7::bigint, s.subscription_id, s.customer_id, s.schedule,
         s.next_billing_cycle, ${isLeft ? "s.moment" : "null"}, $13::timestamptz, $14::timestamptz
       from queued q join fitting s using (subscription_id)
       returning pg_notify('${MESSAGES_CHANNEL}', ''))
     select (select count(*)::int from batch) as count, (select count(*) from noted) as queued,
       last.moment, last.subscription_id
     from (select 1) as one left join
       (select moment, subscription_id from batch order by 1 desc, 2 desc limit 1) as last on true`;
};

interface Queueing {
  sellerId: number;
  run: Run;
  after: { moment: Date; id: string };
  limit: number;
  /** The real time, and until when the message is of use. */
  at: Date;
  expires_at: Date;
  /** Time of the seller's clock. */
  planned_at: Date;
  until: Date;
  language: string;
}

/** Queues the reminders of the next subscriptions of a run, in one statement. */
export async function queueBatch(
  database: Database,
  { sellerId, run, after, limit, at, expires_at, planned_at, until, language }: Queueing,
): Promise<Batch> {
  const { step, from, to, day } = run;
  const row = await queryRow<Batch>(database, queueBatchSql(step), [
    sellerId,
    from,
    to,
    after.moment,
    after.id,
    limit,
    step.step_id,
    day,
    at,
    expires_at,
    exceptFor(step.channel),
    language,
    planned_at,
    until,
  ]);
  return row ?? { count: 0, moment: null, subscription_id: null };
}

/** Whether all of a run was planned. */
export const isRunEnded = async (database: Database, sellerId: number, { step, day }: Run) =>
  (await queryValue<boolean>(
    database,
    "select run_ended and run_day = $3 from reminder_step where seller_id = $1 and step_id = $2",
    [sellerId, step.step_id, day],
  )) === true;

export interface PlannedRow {
  subscription_id: string;
  full_name: string;
  phone: string;
  email: string;
  moment: Date;
  channel: string | null;
  hold_id: number | null;
}

/** Separates the page's rows from the counts, which each row repeats; a page may have no rows. */
export function countedRows<Row>(
  rows: (Row & { count: number; held: number })[],
  isRow: (row: Row) => boolean,
) {
  const [{ count, held } = { count: 0, held: 0 }] = rows;
  return {
    count,
    held,
    rows: rows.filter(isRow).map(({ count: _count, held: _held, ...row }) => row),
  };
}

/** The subscriptions of a run that were not queued yet, also those that are held. */
export async function selectPlanned(
  database: Database,
  sellerId: number,
  run: Run,
  after: { moment: Date; id: string } | null,
  limit: number,
) {
  const rows = await queryRows<PlannedRow & { count: number; held: number }>(
    database,
    `with batch as materialized (${candidatesSql(run.step)}),
     found as materialized (
       select s.subscription_id, s.full_name, s.phone, s.email, s.moment, h.hold_id
       from batch s join customer c on c.seller_id = $1 and c.id = s.customer_id
       left join lateral (
         select h.hold_id from reminder_hold h
         where ${holdsSql({ seller: "$1", day: "$8::date", step: "$7" })} limit 1) h on true
       where not (${OPTED_OUT})
         and not exists (select from message m
           where m.seller_id = $1 and m.cause = ${causeSql("$7::bigint", "s")}))
     select counted.count, counted.held, s.*,
       (select channel from message_channel where seller_id = $1 and channel_id = ${firstChannelSql({ seller: "$1", phone: "s.phone", email: "s.email", except: "$9::text[]" })}) as channel
     from (
       select count(*) filter (where hold_id is null)::int as count,
         count(hold_id)::int as held from found) counted
     left join (
       select * from found
       where $10::timestamptz is null or (moment, subscription_id) > ($10, $11::uuid)
       order by moment, subscription_id limit $12) s on true
     order by s.moment, s.subscription_id`,
    [
      sellerId,
      run.from,
      run.to,
      new Date(0),
      FIRST_ID,
      null,
      run.step.step_id,
      run.day,
      exceptFor(run.step.channel),
      after?.moment ?? null,
      after?.id ?? null,
      limit,
    ],
  );
  return countedRows(rows, ({ subscription_id }) => subscription_id !== null);
}

/**
 * Makes waiting reminders due after the seller's clock has moved: each is sent, or put off again.
 */
export const bringForward = (database: Database, sellerId: number, at: Date) =>
  database.query(
    `update message set next_at = $2
     where seller_id = $1 and kind = 'reminder' and state = 'queued' and next_at > $2`,
    [sellerId, at],
  );

import { queryRow, queryValue, type Database } from "../db/database.ts";
import type { MessageKey } from "../messages/store.ts";
import { holdsSql, OPTED_OUT } from "./plan-store.ts";

const WEEK = "interval '7 days'";

export interface Reminder {
  seller_id: number;
  step_id: number;
  subscription_id: string;
  customer_id: number;
  schedule: number;
  period_start: Date | null;
  idle_since: Date | null;
  planned_at: Date;
  until: Date;
}

export const selectReminder = (database: Database, { seller_id, message_id }: MessageKey) =>
  queryRow<Reminder>(
    database,
    `select seller_id, step_id, subscription_id, customer_id, schedule, period_start, idle_since,
       planned_at, until from reminder where seller_id = $1 and message_id = $2`,
    [seller_id, message_id],
  );

interface Obstacles {
  is_held: boolean;
  has_opted_out: boolean;
  /** A later reminder of the subscription was queued. */
  is_superseded: boolean;
  /** The buyer came back to a checkout that was left. */
  is_taken_up: boolean;
  /** A provider owes the answer of a payment, or a recorded one waits for its approval. */
  is_paying: boolean;
  /** Reminders to the buyer in the last seven days. */
  of_week: number;
}

/**
 * The reasons why a reminder must not be sent. Reminders to one buyer wait here for each other, so that
 * two at once do not both fit into the week's limit.
 * @param now by the seller's clock
 * @param day the seller's day, YYYY-MM-DD
 */
export async function findObstacles(
  database: Database,
  messageId: string,
  { seller_id, subscription_id, customer_id, step_id, planned_at, idle_since }: Reminder,
  { now, day }: { now: Date; day: string },
): Promise<Obstacles> {
  await database.query("select pg_advisory_xact_lock(24, ($1::bigint % 2147483647)::int)", [
    customer_id,
  ]);
  const found = await queryRow<Obstacles>(
    database,
    `select exists (select from reminder_hold h
         where ${holdsSql({ seller: "$8", day: "$4::date", step: "$3" })}) as is_held,
       ${OPTED_OUT} as has_opted_out,
       exists (select from reminder r join message m using (seller_id, message_id)
         where r.seller_id = s.seller_id and r.subscription_id = s.subscription_id
           and r.planned_at > $5
           and m.state not in ('withdrawn', 'failed', 'expired')) as is_superseded,
       $6::timestamptz is not null
         and coalesce(s.checkout_activity_at, s.created_at) > $6 as is_taken_up,
       exists (select from checkout_attempt a
         where a.seller_id = s.seller_id and a.subscription_id = s.subscription_id
           and a.state = 'pending')
         or exists (select from recorded_payment p
         where p.seller_id = s.seller_id and p.subscription_id = s.subscription_id
           and p.state = 'waiting' and p.schedule = s.schedule
           and p.period_start is not distinct from s.next_billing_cycle) as is_paying,
       (select count(*)::int from reminder r join message m using (seller_id, message_id)
         where r.seller_id = s.seller_id and r.customer_id = s.customer_id and r.message_id <> $2
           and r.sent_at > $7::timestamptz - ${WEEK} and r.sent_at <= $7
           and m.state not in ('withdrawn', 'failed', 'expired')) as of_week
     from subscription s join customer c on c.seller_id = s.seller_id and c.id = s.customer_id
     where s.seller_id = $8 and s.subscription_id = $1`,
    [subscription_id, messageId, step_id, day, planned_at, idle_since, now, seller_id],
  );
  if (!found) throw new Error("a locked subscription is missing");
  return found;
}

/** @param at by the seller's clock */
export const noteSending = (
  database: Database,
  { seller_id, message_id }: MessageKey,
  at: Date,
  language: string,
) =>
  database.query(
    `with noted as (
       update reminder set sent_at = $2 where seller_id = $4 and message_id = $1)
     update message set language = $3 where seller_id = $4 and message_id = $1`,
    [message_id, at, language, seller_id],
  );

/** @param until by the seller's clock */
export const moveReminder = (
  database: Database,
  { seller_id, message_id }: MessageKey,
  until: Date,
) =>
  database.query("update reminder set until = $3 where seller_id = $1 and message_id = $2", [
    seller_id,
    message_id,
    until,
  ]);

interface NewReminder extends Reminder {
  cause: string;
}

/** Notes what a queued message reminds of, unless it is known. @returns its id and state */
export async function noteReminder(
  database: Database,
  { cause, ...reminder }: NewReminder,
): Promise<{ message_id: string; state: string }> {
  const message = await queryRow<{ message_id: string; state: string }>(
    database,
    "select message_id, state from message where seller_id = $1 and cause = $2",
    [reminder.seller_id, cause],
  );
  if (!message) throw new Error("a queued message is missing");
  await database.query(
    `insert into reminder (message_id, seller_id, step_id, subscription_id, customer_id, schedule,
       period_start, idle_since, planned_at, until)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
    [
      message.message_id,
      reminder.seller_id,
      reminder.step_id,
      reminder.subscription_id,
      reminder.customer_id,
      reminder.schedule,
      reminder.period_start,
      reminder.idle_since,
      reminder.planned_at,
      reminder.until,
    ],
  );
  return message;
}

/** The time since when a checkout is left. */
export const findIdleSince = (database: Database, sellerId: number, subscriptionId: string) =>
  queryValue<Date>(
    database,
    `select coalesce(checkout_activity_at, created_at) from subscription
     where seller_id = $1 and subscription_id = $2`,
    [sellerId, subscriptionId],
  );

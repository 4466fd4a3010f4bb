import type { ScheduleResults } from "#contract/reminders.ts";
import type { SendingChannel } from "#contract/names.ts";
import { queryRow, queryRows, type Database } from "../db/database.ts";
import type { Seller } from "../sellers/store.ts";
import { dayIn } from "#contract/process/local-day.ts";

/** Days after the last reminder within which a payment is counted. */
const WINDOWS = [1, 3, 7] as const;
/** States of a message that was sent, or may have been. */
const SENT = "('accepted', 'delivered', 'read', 'unknown')";
// As `SENT`, by excluding the other states: few messages have them, and two indexes list those.
const HAS_LEFT = `not exists (
  select from message m where m.seller_id = $1 and m.message_id = r.message_id
    and m.state in ('queued', 'failed', 'expired', 'withdrawn'))
  and not exists (
    select from message m where m.seller_id = $1 and m.message_id = r.message_id
      and m.state = 'sending')`;

interface Asked {
  seller: Seller;
  /** The first day, YYYY-MM-DD. */
  from: string;
  /** Time of the seller's clock. */
  now: Date;
}

/**
 * The results of reminders since a day. All reminders of a subscription between two payments are
 * one case, which counts from the last of them.
 */
export async function reminderResults(
  database: Database,
  { seller: { seller_id, time_zone }, from, now }: Asked,
): Promise<ScheduleResults> {
  const [start] = dayIn(from, time_zone);
  const channels = await queryRows<
    ScheduleResults["channels"][number] & { channel: SendingChannel | null }
  >(
    database,
    `select c.channel, count(*) filter (where m.state in ${SENT})::int as sent,
       count(*) filter (where m.state in ('delivered', 'read'))::int as delivered,
       count(*) filter (where m.state = 'read')::int as read,
       count(*) filter (where m.state in ('failed', 'expired'))::int as failed
     from (
       select message_id, seller_id, planned_at from reminder
       union all
       select m.message_id, m.seller_id, m.queued_at
       from handed_reminder join message m using (seller_id, message_id)) r
     join message m using (seller_id, message_id)
     left join message_channel c using (seller_id, channel_id)
     where r.seller_id = $1 and r.planned_at >= $2 and r.planned_at <= $3
     group by c.channel
     having count(*) filter (where m.state in ${SENT} or m.state in ('failed', 'expired')) > 0
     order by c.channel`,
    [seller_id, start, now],
  );
  const shares = WINDOWS.flatMap((days) => {
    const window = `interval '${days} days'`;
    return [
      `count(*) filter (where sent_at <= $3 - ${window})::int as of_${days}`,
      `count(*) filter (where sent_at <= $3 - ${window} and paid_at <= sent_at + ${window})::int
         as paid_${days}`,
    ];
  });
  const counts = await queryRow<Record<string, number>>(
    database,
    `with sent as materialized (
       select r.subscription_id, r.sent_at from reminder r
       where r.seller_id = $1 and r.planned_at >= $2 and r.sent_at <= $3 and ${HAS_LEFT}),
     reminded as (select subscription_id, min(sent_at) as first_at from sent group by 1),
     moments as (
       select subscription_id, sent_at, null::timestamptz as paid_at from sent
       union all
       select p.subscription_id, null, p.paid_at from reminded r
       join payment p on p.seller_id = $1 and p.subscription_id = r.subscription_id
         and p.paid_at > r.first_at and p.paid_at <= $3 and p.reversed_at is null),
     followed as (
       select sent_at, lead(sent_at) over next as next_sent_at, lead(paid_at) over next as paid_at
       from moments window next as (
         partition by subscription_id order by coalesce(sent_at, paid_at), paid_at nulls last)),
     cases as (
       select sent_at, paid_at from followed where sent_at is not null and next_sent_at is null)
     select count(*)::int as reminded, count(paid_at)::int as paid, ${shares.join(", ")}
     from cases`,
    [seller_id, start, now],
  );
  const of = (name: string) => counts?.[name] ?? 0;
  return {
    from,
    channels,
    reminded: of("reminded"),
    paid: of("paid"),
    paid_within: WINDOWS.map((days) => ({
      days,
      paid: of(`paid_${days}`),
      of: of(`of_${days}`),
    })),
  };
}

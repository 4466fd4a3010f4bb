import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { isCurrentContactSql } from "#lib/money/debt.ts";
import type { Notification, Notifications } from "./queries.ts";

const MOST = 100;
const DAYS = 30;

/**
 * Notifications from verified deliveries, from changes that the search index recorded (a payment only
 * if no delivery reported it), and from due promises. For a person without a read mark, those of the
 * last day are unread.
 * @param now ISO, by the service's clock
 */
export async function readNotifications(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { user_id, now }: { user_id: string; now: string },
): Promise<Notifications> {
  const { rows } = await db.query<Notification>(
    `with delivered as (
       select 'd' || id as key, received_at as at, subscription_id,
              case event when 'checkout.succeeded' then 'paid' when 'checkout.failed' then 'failed' end as kind
         from received_delivery
        where seller_id = $1 and mode = $2 and verdict = 'verified'
          and event in ('checkout.succeeded', 'checkout.failed') and subscription_id is not null
          and reason is distinct from 'example'
          and received_at > now() - interval '${DAYS} days'
        order by id desc limit ${MOST + 1}
     ), changed as (
       select 'c' || id as key, seen_at as at, subscription_id,
              case when is_lost then 'ended' else 'seen_paid' end as kind
         from subscription_change c
        where seller_id = $1 and mode = $2 and (is_lost or is_first_payment or is_renewal)
          and seen_at > now() - interval '${DAYS} days'
          -- The payment's delivery is listed already.
          and (is_lost or not exists (select 1 from received_delivery d
                where d.seller_id = $1 and d.mode = $2 and d.subscription_id = c.subscription_id
                  and d.verdict = 'verified' and d.event = 'checkout.succeeded'
                  and d.received_at between c.seen_at - interval '1 hour' and c.seen_at + interval '1 hour'))
        order by seen_at desc limit ${MOST + 1}
     ), own as (
       -- Read marks have the real time; a sandbox's clock may be ahead.
       select time_zone, ($4::timestamptz at time zone time_zone)::date as today,
              greatest($4::timestamptz - now(), interval '0') as ahead
         from seller where id = $1
     ), promised as (
       -- The day has come, and the promised amount is still unpaid.
       select 'p' || k.subscription_id || ' ' || promised_for as key,
              promised_for::timestamp at time zone time_zone as at, k.subscription_id,
              'promised' as kind
         from collection_state k
         join own on promised_for between today - ${DAYS} and today
         join indexed_subscription s
           on s.seller_id = k.seller_id and s.mode = k.mode and s.id = k.subscription_id
          and s.status in ('active', 'due', 'pending_checkout')
          and ${isCurrentContactSql("k", "s.next_billing_cycle")}
        where k.seller_id = $1 and k.mode = $2
        order by promised_for desc limit ${MOST + 1}
     ), latest as (
       select * from (select * from delivered union all select * from changed
                      union all select * from promised) a
        order by at desc, key limit ${MOST + 1}
     )
     select l.key, l.kind, l.at, l.subscription_id, s.full_name as buyer,
            -- Browsers set the read mark, in milliseconds.
            date_trunc('milliseconds',
                       case l.kind when 'promised' then l.at - own.ahead else l.at end)
              > coalesce((select seen_at from notification_seen
                           where user_id = $3 and seller_id = $1 and mode = $2),
                         now() - interval '1 day') as is_unread
       from latest l cross join own left join indexed_subscription s
         on s.seller_id = $1 and s.mode = $2 and s.id = l.subscription_id
      order by l.at desc, l.key`,
    [seller_id, mode, user_id, now],
  );
  const latest = rows.slice(0, MOST);
  return {
    latest,
    unread: latest.filter(({ is_unread }) => is_unread).length,
    is_capped: rows.length > MOST,
  };
}

/** Marks notifications as read; the mark never moves back. @param until ISO, the newest shown */
export async function markNotificationsRead(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { user_id, until }: { user_id: string; until: string },
): Promise<void> {
  await db.query(
    `insert into notification_seen (user_id, seller_id, mode, seen_at)
     values ($1, $2, $3, least($4::timestamptz, now()))
     on conflict (user_id, seller_id, mode) do update
       set seen_at = greatest(notification_seen.seen_at, excluded.seen_at)`,
    [user_id, seller_id, mode, until],
  );
}

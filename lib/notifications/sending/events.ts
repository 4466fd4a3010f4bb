import "server-only";
import type pg from "pg";
import type { EndpointNotice } from "#contract/deliveries.ts";
import { findAccountClient } from "#lib/billing/account.ts";
import { findMessageClient } from "#lib/billing/message-account.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { DeliveryClient } from "#lib/billing/delivery-client.ts";
import { openClient } from "#lib/billing/open-client.ts";
import { PaymentAccountClient } from "#lib/billing/payment-client.ts";
import { serviceNow } from "#lib/billing/service-clock.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { inTransaction, type Database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import { dayInZone } from "#lib/format/format.ts";
import { isCurrentContactSql } from "#lib/money/debt.ts";
import { hostOf } from "#lib/webhooks/rules.ts";
import type { NoticeKind } from "../rules.ts";

/** Seconds between two polls of the service for one seller. */
const ASKED_EVERY = 60;

/**
 * SQL that begins an insertion of notices; an event that was queued for a person and way is not queued
 * again.
 */
const INSERT = `
  insert into notice (setting_id, way, kind, event, subscription_id, subject, ends_at)`;
const CHOICES = (kind: NoticeKind) => `
  notice_setting s join notice_choice c on c.setting_id = s.id and c.kind = '${kind}'
    and s.seller_id = $1 and s.mode = $2`;

/** Queues events that only the database knows: morning lists that are due, and new payments. */
export async function queueDatabaseEvents(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<void> {
  // A morning list may go out up to four hours late, but no later.
  await db.query(
    `${INSERT}
     select s.id, c.way, c.kind, 'morning ' || today, null, null, begun + interval '4 hours'
       from ${CHOICES("morning")}
       join seller l on l.id = s.seller_id
       cross join lateral (select (now() at time zone l.time_zone)::date as today) as d
       cross join lateral (
         select (today + s.morning_at) at time zone l.time_zone as begun) as b
      where now() >= begun and now() < begun + interval '4 hours' and c.since < begun
     on conflict do nothing`,
    [seller_id, mode],
  );
  await db.query(
    `${INSERT}
     select s.id, c.way, c.kind, 'payment ' || p.id, p.subscription_id, null,
            now() + interval '6 hours'
       from ${CHOICES("payment")}
       join proof p on p.seller_id = s.seller_id and p.mode = s.mode
        and p.at > greatest(c.since, now() - interval '1 hour')
        -- An old payment may have become known only now.
        and p.paid_at > now() - interval '1 day'
     on conflict do nothing`,
    [seller_id, mode],
  );
}

/**
 * Queues events for which the service has to be asked, at most once a minute and by one process:
 * endpoints that were switched off, channels and payment providers that began to fail, and promises
 * whose day has passed.
 */
export async function queuePolledEvents(
  pool: pg.Pool,
  owner: KeyOwner,
  { code, time_zone }: { code: string; time_zone: string },
): Promise<void> {
  const { seller_id, mode } = owner;
  await pool.query(
    "insert into notice_look (seller_id, mode) values ($1, $2) on conflict do nothing",
    [seller_id, mode],
  );
  const { rowCount } = await pool.query(
    `update notice_look set next_at = now() + interval '${ASKED_EVERY} seconds'
      where seller_id = $1 and mode = $2 and next_at <= now()`,
    [seller_id, mode],
  );
  if (rowCount === 0) return;
  const { rows } = await pool.query<{ kind: NoticeKind }>(
    `select distinct c.kind from notice_setting s join notice_choice c on c.setting_id = s.id
      where s.seller_id = $1 and s.mode = $2`,
    [seller_id, mode],
  );
  const wanted = new Set(rows.map(({ kind }) => kind));
  const billing = openClient(owner);
  if (wanted.has("promise_broken")) {
    const scope = { seller: code, mode };
    const now = await serviceNow({ scope, billing, now: new Date().toISOString() });
    await queueBrokenPromises(pool, owner, dayInZone(now, time_zone));
  }
  if (wanted.has("endpoint_off"))
    await queueEndpoints(pool, owner, await readSwitchedOff(billing));
  if (wanted.has("channel_failed"))
    await queueFailing(pool, owner, "channel_failed", await readFailingChannels(owner));
  if (wanted.has("provider_failed"))
    await queueFailing(pool, owner, "provider_failed", await readFailingProviders(owner));
}

/** Null if the service does not answer; it is asked again a minute later. */
async function nullIfUnanswered<Value>(asked: Promise<Value>): Promise<Value | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

const readSwitchedOff = async (billing: BillingClient): Promise<SwitchedOff[]> =>
  (await nullIfUnanswered(new DeliveryClient(billing).listNotices()))?.results ?? [];

const isFailing = ({ is_active, problem }: { is_active: boolean; problem: string | null }) =>
  is_active && problem !== null;

async function readFailingChannels(owner: KeyOwner): Promise<string[] | null> {
  const client = await findMessageClient(owner);
  const setups = client && (await nullIfUnanswered(client.listChannels()));
  return setups ? setups.results.filter(isFailing).map(({ channel }) => channel) : null;
}

/** The names of payment providers that refuse their settings. */
async function readFailingProviders(owner: KeyOwner): Promise<string[] | null> {
  const client = await findAccountClient(owner, PaymentAccountClient);
  const setups = client && (await nullIfUnanswered(client.list()));
  if (!setups) return null;
  const nameOf = (id: string) =>
    setups.providers.find(({ provider }) => provider === id)?.label ?? id;
  return setups.results.filter(isFailing).map(({ provider }) => nameOf(provider));
}

/**
 * Queues notices of promises for yesterday that were not kept, after the hour at which the member
 * wants the morning list.
 * @param today by the service's clock
 */
export async function queueBrokenPromises(
  db: Database,
  { seller_id, mode }: KeyOwner,
  today: string,
): Promise<void> {
  await db.query(
    `${INSERT}
     select s.id, c.way, c.kind, 'promise ' || k.subscription_id || ' ' || k.promised_for,
            k.subscription_id, null, now() + interval '12 hours'
       from ${CHOICES("promise_broken")}
       join seller l on l.id = s.seller_id
        and (now() at time zone l.time_zone)::time >= s.morning_at
       join collection_state k on k.seller_id = s.seller_id and k.mode = s.mode
        and k.promised_for = $3::date - 1 and coalesce(k.snoozed_until <= $3::date, true)
       join indexed_subscription i
         on i.seller_id = k.seller_id and i.mode = k.mode and i.id = k.subscription_id
        and i.status in ('active', 'due', 'pending_checkout')
        and ${isCurrentContactSql("k", "i.next_billing_cycle")}
     on conflict do nothing`,
    [seller_id, mode, today],
  );
}

type SwitchedOff = Pick<EndpointNotice, "id" | "endpoint_url" | "created_at">;

/** Queues notices of endpoints that the service switched off; the service's ids prevent repetitions. */
export async function queueEndpoints(
  db: Database,
  { seller_id, mode }: KeyOwner,
  endpoints: readonly SwitchedOff[],
): Promise<void> {
  if (endpoints.length === 0) return;
  // A URL can hold a secret, a host cannot.
  const told = endpoints.map(({ id, endpoint_url, created_at }) => ({
    id,
    host: hostOf(endpoint_url),
    at: created_at,
  }));
  await db.query(
    `${INSERT}
     select s.id, c.way, c.kind, 'endpoint ' || e.id, null, e.host, now() + interval '1 day'
       from ${CHOICES("endpoint_off")}
       join jsonb_to_recordset($3) as e (id bigint, host text, at timestamptz)
         on e.at > greatest(c.since, now() - interval '1 day')
     on conflict do nothing`,
    [seller_id, mode, JSON.stringify(told)],
  );
}

/**
 * Queues a notice when a channel or provider begins to fail, and again only after it has worked.
 * @param names those that fail now; null if unknown
 */
export async function queueFailing(
  pool: pg.Pool,
  { seller_id, mode }: KeyOwner,
  kind: "channel_failed" | "provider_failed",
  names: readonly string[] | null,
): Promise<void> {
  if (!names) return;
  const keyOf = (name: string) => `${kind} ${name}`;
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ failing: string[] }>(
      "select failing from notice_look where seller_id = $1 and mode = $2 for update",
      [seller_id, mode],
    );
    const before = rows[0]?.failing ?? [];
    await client.query(
      `${INSERT}
       select s.id, c.way, c.kind, c.kind || ' ' || n.name || ' ' || now(), null, n.name,
              now() + interval '1 day'
         from ${CHOICES(kind)} cross join unnest($3::text[]) as n (name)
       on conflict do nothing`,
      [seller_id, mode, names.filter((name) => !before.includes(keyOf(name)))],
    );
    const others = before.filter((key) => !key.startsWith(`${kind} `));
    await client.query(
      "update notice_look set failing = $3 where seller_id = $1 and mode = $2",
      [seller_id, mode, [...others, ...names.map(keyOf)]],
    );
  });
}

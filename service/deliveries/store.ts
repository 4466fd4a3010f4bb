import type { DeliveryState, RecoveredDeliveries } from "#contract/deliveries.ts";
import { EVENT_KINDS, type EventKind } from "#contract/names.ts";
import { queryRow, queryRows, queryValue, type Database, concernsRow } from "../db/database.ts";
import { DELIVERIES_CHANNEL } from "../subscriptions/emit-events.ts";

export interface DeliveryRow {
  delivery_id: number;
  event_id: string;
  event: EventKind;
  webhook_id: number;
  endpoint_url: string;
  subscription_id: string;
  state: DeliveryState;
  attempts: number;
  response_code: number | null;
  error: string | null;
  next_at: Date | null;
  created_at: Date;
  finished_at: Date | null;
}

export interface AttemptRow {
  endpoint_url: string;
  started_at: Date;
  duration_ms: number;
  signatures: string;
  response_code: number | null;
  response_body: string | null;
  error: string | null;
}

export interface DeliveryFilter {
  state?: DeliveryState | undefined;
  skipped?: boolean | undefined;
  event?: EventKind | undefined;
  webhook_id?: number | undefined;
  subscription_id?: string | undefined;
  created_from?: Date | undefined;
  created_to?: Date | undefined;
}

const DELIVERY = `
  select d.delivery_id, d.event_id, d.event, d.webhook_id, w.endpoint_url, d.subscription_id,
    case when d.state = 'pending' and d.tries > 0 then 'retrying' else d.state end as state,
    coalesce(a.attempts, 0)::int as attempts, last.response_code, last.error,
    case when d.state = 'pending' then nullif(d.next_at, '-infinity') end as next_at,
    d.created_at, d.finished_at, d.body
  from delivery d join webhook w on w.seller_id = d.seller_id and w.id = d.webhook_id
  left join lateral (
    select count(*) as attempts, max(attempt_id) as last_id
    from delivery_attempt where seller_id = d.seller_id and delivery_id = d.delivery_id
  ) a on true
  left join delivery_attempt last
    on last.seller_id = d.seller_id and last.attempt_id = a.last_id`;

/**
 * Conditions by state, with literals instead of parameters, so that the one planned statement can
 * use each filter's index.
 */
const IN_STATE: Record<DeliveryState, string> = {
  pending: "d.state = 'pending' and d.tries = 0",
  retrying: "d.state = 'pending' and d.tries > 0",
  delivered: "d.state = 'delivered'",
  failed: "d.state = 'failed'",
  skipped: "d.state = 'skipped'",
};

/**
 * A page of deliveries, newest first, with ids below `before`, so that every page costs the same.
 */
export function selectDeliveries(
  database: Database,
  sellerId: number,
  { state, skipped = true, ...filter }: DeliveryFilter,
  { before, limit }: { before: number | null; limit: number },
) {
  const values: unknown[] = [sellerId, before, limit, filter.created_from, filter.created_to];
  const conditions = ["d.seller_id = $1"];
  if (state) conditions.push(IN_STATE[state]);
  if (!skipped) conditions.push("d.state <> 'skipped'");
  for (const column of ["webhook_id", "subscription_id"] as const)
    if (filter[column] !== undefined)
      conditions.push(`d.${column} = $${values.push(filter[column])}`);
  const event = EVENT_KINDS.find((name) => name === filter.event);
  if (event) conditions.push(`d.event = '${event}'`);
  return queryRows<DeliveryRow>(
    database,
    `${DELIVERY}
     where ${conditions.join(" and ")}
       and ($4::timestamptz is null or d.created_at >= $4)
       and ($5::timestamptz is null or d.created_at <= $5)
       and d.delivery_id < coalesce($2, 9223372036854775807)
     order by d.delivery_id desc limit $3`,
    values,
  );
}

export const selectDelivery = (database: Database, sellerId: number, deliveryId: number) =>
  queryRow<DeliveryRow & { body: string }>(
    database,
    `${DELIVERY} where d.seller_id = $1 and d.delivery_id = $2`,
    [sellerId, deliveryId],
  );

export const selectAttempts = (database: Database, sellerId: number, deliveryId: number) =>
  queryRows<AttemptRow>(
    database,
    `select endpoint_url, started_at, duration_ms, signatures, response_code, response_body, error
     from delivery_attempt where seller_id = $1 and delivery_id = $2 order by attempt_id`,
    [sellerId, deliveryId],
  );

/** Restarts the schedule, also for a paused endpoint; false if there is no such delivery. */
export const restartDelivery = (database: Database, sellerId: number, deliveryId: number) =>
  concernsRow(
    database,
    `with restarted as (
       update delivery set state = 'pending', tries = 0, by_hand = true, next_at = '-infinity',
         finished_at = null
       where seller_id = $1 and delivery_id = $2 returning 1
     )
     select pg_notify('${DELIVERIES_CHANNEL}', '') from restarted`,
    [sellerId, deliveryId],
  );

const MISSED = `from delivery where seller_id = $1 and webhook_id = $2 and created_at >= $3
  and state in ('failed', 'skipped')`;

// A limit, so that the statement ends in time however many deliveries were missed.
const MOST_RESTARTED = 10_000;
const MOST_COUNTED = 100_000;

/**
 * Restarts the schedule of the oldest missed deliveries.
 * @returns how many, and how many are left, of which at most 100,000 are counted
 */
export async function restartMissed(
  database: Database,
  sellerId: number,
  webhookId: number,
  since: Date,
): Promise<RecoveredDeliveries> {
  const values = [sellerId, webhookId, since];
  const recovered = await queryValue<number>(
    database,
    `with missed as (
       select delivery_id ${MISSED}
       order by created_at, delivery_id limit ${MOST_RESTARTED} for no key update skip locked
     ), restarted as (
       update delivery d set state = 'pending', tries = 0, next_at = '-infinity',
         first_attempt_at = null, finished_at = null
       from missed m where d.seller_id = $1 and d.delivery_id = m.delivery_id
       returning 1
     )
     select count(*)::int as restarted, pg_notify('${DELIVERIES_CHANNEL}', '') from restarted`,
    values,
  );
  const left = await queryValue<number>(
    database,
    `select count(*)::int as count from (select ${MISSED} limit ${MOST_COUNTED}) missed`,
    values,
  );
  return { recovered: recovered ?? 0, left: left ?? 0 };
}

type NewExample = Pick<
  DeliveryRow,
  "webhook_id" | "event_id" | "event" | "subscription_id" | "created_at"
> & { body: string };

export async function insertExample(
  database: Database,
  sellerId: number,
  example: NewExample,
): Promise<number> {
  const { rows } = await database.query<{ delivery_id: number }>(
    `with queued as (
       insert into delivery (seller_id, webhook_id, event_id, event, subscription_id, body,
         created_at, by_hand)
       values ($1, $2, $3, $4, $5, $6, $7, true) returning delivery_id
     )
     select delivery_id, pg_notify('${DELIVERIES_CHANNEL}', '') from queued`,
    [
      sellerId,
      example.webhook_id,
      example.event_id,
      example.event,
      example.subscription_id,
      example.body,
      example.created_at,
    ],
  );
  return (rows[0] as { delivery_id: number }).delivery_id;
}

export const selectWebhook = (database: Database, sellerId: number, webhookId: number) =>
  queryRow<{ is_active: boolean; is_skipping: boolean }>(
    database,
    `select is_active, skip_through is not null as is_skipping
     from webhook where seller_id = $1 and id = $2`,
    [sellerId, webhookId],
  );

/**
 * Looks at the next batch of deliveries and deletes those that finished before a time. Ids rise
 * with time, so the oldest are found without an extra index; a delivery locked by a resend is left
 * for the next run.
 * @returns the last delivery examined, whether any was queued before that time, and how many were
 * deleted
 */
export async function deleteFinished(
  database: Database,
  { after, before, limit }: { after: number; before: Date; limit: number },
) {
  const { rows } = await database.query<{
    last: number | null;
    is_old: boolean | null;
    deleted: number;
  }>(
    `with batch as (
       select seller_id, delivery_id, queued_at from delivery
       where delivery_id > $1 order by delivery_id limit $3
     ), ended as (
       select d.seller_id, d.delivery_id from delivery d join batch using (seller_id, delivery_id)
       where d.state <> 'pending' and d.queued_at < $2
         and (d.finished_at is null or d.finished_at < $2)
       for update of d skip locked
     ), deleted as (
       delete from delivery d using ended
       where d.seller_id = ended.seller_id and d.delivery_id = ended.delivery_id
       returning d.seller_id, d.delivery_id
     ), attempts as (
       delete from delivery_attempt a using deleted
       where a.seller_id = deleted.seller_id and a.delivery_id = deleted.delivery_id
     )
     select max(delivery_id) as last, bool_or(queued_at < $2) as is_old,
       (select count(*)::int from deleted) as deleted
     from batch`,
    [after, before, limit],
  );
  return rows[0] as (typeof rows)[number];
}

export interface Backlog {
  due: number;
  waiting: number;
  oldest_due: number;
  active: number;
  failing: number;
  paused: number;
}

/** The backlog of all sellers, counted as far as is quick. */
export async function selectBacklog(database: Database, now: Date): Promise<Backlog> {
  const { rows } = await database.query<Backlog>(
    `select deliveries.*, endpoints.* from (
       select count(*) filter (where next_at <= $1)::int as due,
         count(*) filter (where next_at > $1)::int as waiting,
         greatest(coalesce(extract(epoch from $1 - min(
           case when next_at = '-infinity' then queued_at else next_at end
         ) filter (where next_at <= $1 and not by_hand)), 0), 0)::float8 as oldest_due
       from (
         select next_at, queued_at, by_hand from delivery where state = 'pending'
         order by webhook_id, next_at, delivery_id limit 100000
       ) open
     ) deliveries, (
       select count(*) filter (where is_active)::int as active,
         count(*) filter (where is_active and failing_since is not null)::int as failing,
         count(*) filter (where not is_active)::int as paused
       from webhook
     ) endpoints`,
    [now],
  );
  return rows[0] as Backlog;
}

export interface NoticeRow {
  id: number;
  webhook_id: number;
  endpoint_url: string;
  kind: "gone" | "failing";
  message: string;
  created_at: Date;
}

/** Why endpoints were switched off, newest first. */
export const selectNotices = (database: Database, sellerId: number, limit: number) =>
  queryRows<NoticeRow>(
    database,
    `select n.notice_id as id, n.webhook_id, w.endpoint_url, n.kind, n.message, n.created_at
     from webhook_notice n join webhook w on w.seller_id = n.seller_id and w.id = n.webhook_id
     where n.seller_id = $1 order by n.notice_id desc limit $2`,
    [sellerId, limit],
  );

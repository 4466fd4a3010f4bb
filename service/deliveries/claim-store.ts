import { queryRows, queryValue, type Database } from "../db/database.ts";

export interface DueDelivery {
  delivery_id: number;
  event_id: string;
  seller_id: number;
  webhook_id: number;
  address_key: string;
  subscription_id: string;
  body: string;
  tries: number;
  endpoint_url: string;
  sealed_secret: Buffer;
  /** The previous secret, which also signs until it expires; null if there is none. */
  previous_sealed_secret: Buffer | null;
  /** Since when all attempts to the endpoint have failed. */
  failing_since: Date | null;
  by_hand: boolean;
  /** The time of queueing by the database's clock. */
  queued_at: Date;
  /** Until when later deliveries of the subscription wait for a failed earlier one, or null. */
  failing_until: Date | null;
}

export interface EndpointKey {
  seller_id: number;
  address_key: string;
}

export interface Lease {
  token: string;
  now: Date;
  until: Date;
}

// Every endpoint with open deliveries, found with one index step each.
const OPEN_WEBHOOKS = `
  with recursive stepped (webhook_id) as (
    (select webhook_id from delivery where state = 'pending'
     order by webhook_id limit 1)
    union all
    select (select d.webhook_id from delivery d
            where d.state = 'pending' and d.webhook_id > s.webhook_id
            order by d.webhook_id limit 1)
    from stepped s where s.webhook_id is not null
  ), open as (
    select w.id, w.seller_id, w.address_key, w.is_active, w.skip_through
    from stepped s join webhook w on w.id = s.webhook_id
  )`;

// Whether a delivery is sent: the endpoint is active, and no earlier pause still skips the
// delivery. Deliveries that a person sent again have a condition of their own, so that each
// condition uses an index.
const isWantedSql = (webhook: string, delivery: string) =>
  `${webhook}.is_active and ${delivery}.delivery_id > coalesce(${webhook}.skip_through, 0)`;

/** The lease id of an endpoint that has asked for a pause. */
export const PAUSED_LEASE = "00000000-0000-0000-0000-000000000000";

/**
 * SQL condition under which an address can be leased at the time of the named parameter.
 * @param ignoresPause also while the endpoint has asked for a pause
 */
// An address without a lease is always free, and neither a lease nor a pause lasts two hours: a
// longer one was written by a clock that was ahead.
export const isEndpointFreeSql = (
  endpoint: string,
  now = "$2",
  { ignoresPause = false } = {},
) =>
  `(${endpoint}.lease is null or ${endpoint}.free_at <= ${now}
    or ${endpoint}.free_at > ${now}::timestamptz + interval '2 hours'
    ${ignoresPause ? `or ${endpoint}.lease = '${PAUSED_LEASE}'` : ""})`;

/** Leases the free addresses with due deliveries, the longest unserved first. */
export const leaseEndpoints = (
  database: Database,
  { token, now, until }: Lease,
  limit: number,
) =>
  queryRows<EndpointKey>(
    database,
    `${OPEN_WEBHOOKS}, due as (
       select o.seller_id, o.address_key from open o
       left join delivery_endpoint e using (seller_id, address_key)
       where ${isEndpointFreeSql("e")} and (exists (
         select 1 from delivery d
         where d.seller_id = o.seller_id and d.webhook_id = o.id and d.state = 'pending'
           and d.next_at <= $2 and ${isWantedSql("o", "d")}
       ) or exists (
         select 1 from delivery d
         where d.seller_id = o.seller_id and d.webhook_id = o.id and d.state = 'pending'
           and d.next_at <= $2 and d.by_hand))
       group by o.seller_id, o.address_key
       order by min(e.free_at) nulls first limit $4
     )
     insert into delivery_endpoint as known (seller_id, address_key, lease, free_at)
     select seller_id, address_key, $1, $3 from due order by seller_id, address_key
     on conflict (seller_id, address_key) do update set lease = $1, free_at = $3
     where ${isEndpointFreeSql("known")}
     returning seller_id, address_key`,
    [token, now, until, limit],
  );

/**
 * The due deliveries of the leased addresses, oldest first. The rows are not changed: only the
 * address is leased, so a killed worker leaves nothing to repair.
 */
export const selectDueDeliveries = (
  database: Database,
  { token, now }: Lease,
  { perEndpoint, orderedFor }: { perEndpoint: number; orderedFor: number },
) =>
  queryRows<DueDelivery>(
    database,
    `select due.*, case when not due.by_hand then earlier.failing_until end as failing_until
     from delivery_endpoint e cross join lateral (
       select d.*, w.id as webhook_id, w.address_key, w.endpoint_url, w.sealed_secret,
         w.failing_since,
         case when w.previous_secret_until > $2 then w.previous_sealed_secret end
           as previous_sealed_secret
       from webhook w cross join lateral (
         -- Retries come before what is new: each by its index.
         (select delivery_id, event_id, seller_id, subscription_id, body, tries, by_hand,
            queued_at, next_at
          from delivery d
          where seller_id = w.seller_id and webhook_id = w.id and state = 'pending'
            and next_at > '-infinity' and next_at <= $2 and not by_hand
            and ${isWantedSql("w", "d")}
          order by next_at, delivery_id limit $3)
         union all
         (select delivery_id, event_id, seller_id, subscription_id, body, tries, by_hand,
            queued_at, next_at
          from delivery d
          where seller_id = w.seller_id and webhook_id = w.id and state = 'pending'
            and next_at = '-infinity' and not by_hand and ${isWantedSql("w", "d")}
          order by delivery_id limit $3)
         union all
         (select delivery_id, event_id, seller_id, subscription_id, body, tries, by_hand,
            queued_at, next_at
          from delivery
          where seller_id = w.seller_id and webhook_id = w.id and state = 'pending'
            and next_at <= $2 and by_hand
          order by next_at, delivery_id limit $3)
       ) d
       where w.seller_id = e.seller_id and w.address_key = e.address_key
       order by d.next_at = '-infinity', d.next_at, d.delivery_id limit $3
     ) due
     left join lateral (
       -- If the state were a condition, PostgreSQL might use the index of all pending deliveries
       -- (migration 0089).
       select min(f.first_attempt_at) filter (where f.state = 'pending')
         + $4 * interval '1 millisecond' as failing_until
       from delivery f join webhook w on w.seller_id = f.seller_id and w.id = f.webhook_id
       where f.seller_id = due.seller_id and f.subscription_id = due.subscription_id and f.delivery_id < due.delivery_id
         and f.first_attempt_at is not null and f.finished_at is null
         and w.address_key = due.address_key
         and (f.by_hand or ${isWantedSql("w", "f")})
     ) earlier on true
     where e.lease = $1
     order by due.delivery_id`,
    [token, now, perEndpoint, orderedFor],
  );

/** Delays deliveries that wait for an earlier one of their subscription (ADR 0051). */
export const deferDeliveries = (database: Database, waiting: DueDelivery[]) =>
  database.query(
    `update delivery d set next_at = w.until
     from unnest($1::bigint[], $2::bigint[], $3::timestamptz[])
       as w (seller_id, delivery_id, until)
     where d.seller_id = w.seller_id and d.delivery_id = w.delivery_id and d.state = 'pending' and not d.by_hand`,
    [
      waiting.map((row) => row.seller_id),
      waiting.map((row) => row.delivery_id),
      waiting.map((row) => row.failing_until),
    ],
  );

/**
 * Endpoints with deliveries to skip: paused ones, also if a transaction that began before the pause
 * queued them after it, and endpoints that were switched on again before all were skipped.
 */
export const selectEndpointsToSkip = (database: Database) =>
  queryRows<{ id: number; seller_id: number }>(
    database,
    `${OPEN_WEBHOOKS}
     select o.id, o.seller_id from open o where not o.is_active
     union select id, seller_id from webhook where skip_through is not null
     order by id`,
  );

export const nextDueAt = (database: Database) =>
  queryValue<Date>(
    database,
    `${OPEN_WEBHOOKS}
     select min(greatest(d.next_at, e.free_at)) as next
     from open o left join delivery_endpoint e using (seller_id, address_key)
     cross join lateral (
       (select d.next_at from delivery d
        where d.seller_id = o.seller_id and d.webhook_id = o.id and d.state = 'pending'
          and ${isWantedSql("o", "d")}
        order by d.next_at limit 1)
       union all
       (select d.next_at from delivery d
        where d.seller_id = o.seller_id and d.webhook_id = o.id and d.state = 'pending'
          and d.by_hand
        order by d.next_at limit 1)
     ) d
     -- Put in since the last look: its notification is under way.
     where greatest(d.next_at, e.free_at) > '-infinity'`,
  );

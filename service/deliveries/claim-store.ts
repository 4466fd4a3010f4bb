import type { Database } from "../db/database.ts";

export interface Claimed {
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
  /** Signs too until its time is over; null otherwise. */
  previous_sealed_secret: Buffer | null;
  /** Since when the endpoint did nothing but fail. */
  failing_since: Date | null;
  /** An earlier one of the subscription has failed for longer than others wait for it. */
  passes: boolean;
  lease: string;
}

export interface Address {
  seller_id: number;
  address_key: string;
}

export interface Lease {
  token: string;
  now: Date;
  until: Date;
}

// Every registration with open deliveries, by one step through the index for each.
const OPEN_WEBHOOKS = `
  with recursive stepped (webhook_id) as (
    (select webhook_id from delivery where state in ('pending', 'delivering')
     order by webhook_id limit 1)
    union all
    select (select d.webhook_id from delivery d
            where d.state in ('pending', 'delivering') and d.webhook_id > s.webhook_id
            order by d.webhook_id limit 1)
    from stepped s where s.webhook_id is not null
  ), open as (
    select w.id, w.seller_id, w.address_key, w.is_active
    from stepped s join webhook w on w.id = s.webhook_id
  )`;

/** Takes the addresses that have something due and are free, the longest unserved first. */
export async function leaseEndpoints(
  database: Database,
  { token, now, until }: Lease,
  limit: number,
): Promise<Address[]> {
  const { rows } = await database.query<Address>(
    `${OPEN_WEBHOOKS}, due as (
       select o.seller_id, o.address_key from open o
       left join delivery_endpoint e using (seller_id, address_key)
       where (e.free_at is null or e.free_at <= $2) and exists (
         select 1 from delivery d
         where d.webhook_id = o.id and d.state in ('pending', 'delivering') and d.next_at <= $2
           and (o.is_active or d.by_hand))
       group by o.seller_id, o.address_key
       order by min(e.free_at) nulls first limit $4
     )
     insert into delivery_endpoint as known (seller_id, address_key, lease, free_at)
     select seller_id, address_key, $1, $3 from due order by seller_id, address_key
     on conflict (seller_id, address_key) do update set lease = $1, free_at = $3
     where known.free_at <= $2
     returning seller_id, address_key`,
    [token, now, until, limit],
  );
  return rows;
}

/**
 * Takes what is due of the leased addresses, oldest first. ADR 0054: what waits for an earlier one
 * of its subscription is put off to the end of that minute instead.
 */
export async function claimDeliveries(
  database: Database,
  { token, now, until }: Lease,
  { perEndpoint, orderedFor }: { perEndpoint: number; orderedFor: number },
): Promise<Claimed[]> {
  const { rows } = await database.query<Claimed & { state: string }>(
    `with due as (
       select d.* from delivery_endpoint e cross join lateral (
         select d.*, e.address_key from webhook w cross join lateral (
           -- Retries, and what a killed worker held, come before what is new: each by its index.
           (select delivery_id, subscription_id, by_hand, next_at from delivery
            where webhook_id = w.id and state in ('pending', 'delivering')
              and next_at > '-infinity' and next_at <= $2 and (w.is_active or by_hand)
            order by next_at, delivery_id limit $4)
           union all
           (select delivery_id, subscription_id, by_hand, next_at from delivery
            where webhook_id = w.id and state in ('pending', 'delivering')
              and next_at = '-infinity' and (w.is_active or by_hand)
            order by delivery_id limit $4)
         ) d
         where w.seller_id = e.seller_id and w.address_key = e.address_key
         order by d.next_at = '-infinity', d.next_at, d.delivery_id limit $4
       ) d where e.lease = $1
     ), ordered as (
       select due.delivery_id, earlier.failing_until,
         not due.by_hand and coalesce(earlier.failing_until > $2, false) as waits
       from due left join lateral (
         select min(f.first_attempt_at) + $5 * interval '1 millisecond' as failing_until
         from delivery f join webhook w on w.id = f.webhook_id
         where f.subscription_id = due.subscription_id and f.delivery_id < due.delivery_id
           and f.state in ('pending', 'delivering') and w.address_key = due.address_key
       ) earlier on true
     )
     update delivery d set
       state = case when o.waits then 'pending' else 'delivering' end,
       next_at = case when o.waits then o.failing_until else $3 end,
       lease = case when o.waits then null else $1::uuid end
     from ordered o, webhook w
     where d.delivery_id = o.delivery_id and w.id = d.webhook_id
       and d.state in ('pending', 'delivering') and d.next_at <= $2
     returning d.delivery_id, d.event_id, d.seller_id, d.webhook_id, w.address_key,
       d.subscription_id, d.body, d.tries, d.state, d.lease, w.endpoint_url, w.sealed_secret,
       case when w.previous_secret_until > $2 then w.previous_sealed_secret end
         as previous_sealed_secret,
       w.failing_since, d.by_hand or o.failing_until is not null as passes`,
    [token, now, until, perEndpoint, orderedFor],
  );
  return rows
    .filter((row) => row.state === "delivering")
    .toSorted((a, b) => a.delivery_id - b.delivery_id);
}

/** The next moment at which something can be taken, or null when nothing is open. */
export async function nextDueAt(database: Database): Promise<Date | null> {
  const { rows } = await database.query<{ next: Date | null }>(
    `${OPEN_WEBHOOKS}
     select min(greatest(d.next_at, e.free_at)) as next
     from open o left join delivery_endpoint e using (seller_id, address_key)
     cross join lateral (
       select d.next_at from delivery d
       where d.webhook_id = o.id and d.state in ('pending', 'delivering')
         and (o.is_active or d.by_hand)
       order by d.next_at limit 1
     ) d
     -- Put in since the last look: its notification is under way.
     where greatest(d.next_at, e.free_at) > '-infinity'`,
  );
  return rows[0]?.next ?? null;
}

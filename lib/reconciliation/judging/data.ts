import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { inPatientTransaction, type Database } from "#lib/db/pool.ts";
import { DAYS_KEPT } from "#lib/search-index/sync/received-events.ts";
import { COUNTED } from "../../search-index/compare/count-records.ts";
import type { Double, EventReport, OddPrice, Some, Stray } from "../../search-index/compare/queries.ts";
import { LONGEST_STATEMENT } from "../../search-index/compare/differences.ts";
import type { Claimed, Desk, Progress } from "../../search-index/compare/step.ts";

const MOST_SHOWN = 20;

/** What needs no more calls: events against what was seen, and what the records mean together. */
export async function judge({ db, owner }: Desk, check: Claimed): Promise<Progress> {
  const report = await inPatientTransaction(db, LONGEST_STATEMENT, async (client) => ({
    ...check.report,
    events: await compareEvents(client, owner, check.id),
    doubles: await findDoubles(client, owner),
    prices: await findOddPrices(client, owner),
    strays: await findStrays(client, owner),
    repaired: await countRepaired(client, owner, check.id),
  }));
  return { phase: null, report };
}

/** All rows of a question that are there are counted, the first few shown. */
async function some<Row extends object>(
  db: Database,
  question: string,
  order: string,
  values: unknown[],
): Promise<Some<Row>> {
  const { rows } = await db.query<{ count: number; row: Row | null }>(
    `with found as materialized (${question}),
     shown as (select to_jsonb(found) as row, row_number() over (order by ${order}) as place
                 from found order by place limit ${MOST_SHOWN})
     select total.count, shown.row
       from (select count(*)::int as count from found) as total left join shown on true
      order by shown.place`,
    values,
  );
  return {
    count: rows[0]?.count ?? 0,
    shown: rows.flatMap(({ row }) => (row === null ? [] : [row])),
  };
}

/** Minutes that a webhook may take after its change was seen. */
const GRACE_MINUTES = 10;
/** Hours that the copy may take to see a change by itself, after its webhook came. */
const SEEN_WITHIN_HOURS = 2;

/** Without a webhook that ever came there is nothing that could have been missed. */
async function compareEvents(
  db: Database,
  owner: KeyOwner,
  check_id: string,
): Promise<EventReport> {
  const whose = [owner.seller_id, owner.mode];
  const { rows } = await db.query<{ since: Date | null; received: number }>(
    `select m.events_since as since, count(e.id)::int as received
       from mirror m left join mirror_event e using (seller_id, mode)
      where m.seller_id = $1 and m.mode = $2 group by m.events_since`,
    whose,
  );
  const { since = null, received = 0 } = rows[0] ?? {};
  return {
    since: since?.toISOString() ?? null,
    received,
    missed: await some(db, MISSED, "seen_at desc, subscription_id", whose),
    unknown: await some(db, UNKNOWN, "received_at desc", [...whose, check_id]),
    contrary: await some(db, CONTRARY, "received_at desc", [...whose, check_id]),
  };
}

/** One event may tell of two changes: it is better not to complain than to complain in vain. */
const MISSED = `
  with kept as (
    select greatest(m.events_since, now() - interval '${DAYS_KEPT} days',
             (select min(received_at) from mirror_event where seller_id = $1 and mode = $2)) as since,
           exists (select 1 from mirror_event where seller_id = $1 and mode = $2
                    and event = 'subscription.status_changed') as tells_all
      from mirror m where m.seller_id = $1 and m.mode = $2 and m.events_since is not null
  ), change as (
    select subscription_id, old_status, new_status, seen_at,
           lag(seen_at) over of_one as before, lead(seen_at) over of_one as next
      from mirror_change
     where seller_id = $1 and mode = $2 and old_status <> new_status
       and seen_at > now() - interval '${DAYS_KEPT + 1} days'
    window of_one as (partition by subscription_id order by id)
  )
  select c.subscription_id, c.old_status, c.new_status, c.seen_at
    from change c, kept
   where c.seen_at > kept.since
     and c.seen_at < now() - interval '${GRACE_MINUTES} minutes'
     -- Where only payments are registered, nothing else is told.
     and (kept.tells_all or c.old_status = 'pending_checkout' and c.new_status = 'active')
     and not exists (
       select 1 from mirror_event e
        where e.seller_id = $1 and e.mode = $2 and e.subscription_id = c.subscription_id
          and e.received_at >= greatest(c.before,
                c.seen_at - interval '${SEEN_WITHIN_HOURS} hours')
          and e.received_at < coalesce(c.next, 'infinity')
          and (e.new_status is null or e.new_status = c.new_status))`;

const NEWEST_SAID = `
  select distinct on (subscription_id) subscription_id, event, new_status, received_at
    from mirror_event where seller_id = $1 and mode = $2 order by subscription_id, id desc`;

const UNKNOWN = `
  select e.subscription_id, e.event, e.received_at
    from (${NEWEST_SAID}) as e
    join reconciliation_record r on r.check_id = $3 and r.id = e.subscription_id
   where r.seller_id = $1 and r.mode = $2 and r.state in ('unknown', 'extra')`;

const CONTRARY = `
  select e.subscription_id, e.event, e.received_at, e.new_status as said,
         r.service_status as status
    from (${NEWEST_SAID}) as e
    join reconciliation_record r on r.check_id = $3 and r.id = e.subscription_id
    join reconciliation c on c.id = r.check_id
   where r.seller_id = $1 and r.mode = $2 and e.received_at < c.started_at
     and e.new_status <> r.service_status and r.state not in ('waiting', 'unread', 'moving')`;

/** A buyer who owes for a plan and has begun to buy it anew. */
async function findDoubles(db: Database, { seller_id, mode }: KeyOwner): Promise<Some<Double>> {
  const question = `
    select d.phone, d.full_name, d.product_name, d.plan_name, d.id as due_id, p.id as pending_id
      from mirror_subscription d join mirror_subscription p
        on p.seller_id = d.seller_id and p.mode = d.mode and p.phone_key = d.phone_key
       and p.product_id = d.product_id and p.plan_name = d.plan_name
     where d.seller_id = $1 and d.mode = $2 and d.status = 'due' and d.phone_key <> ''
       and p.status = 'pending_checkout' and p.created_at > d.created_at`;
  return some(db, question, "due_id, pending_id", [seller_id, mode]);
}

/** Of subscriptions that can still be paid: whose period is listed no more, or at another price. */
async function findOddPrices(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<Some<OddPrice>> {
  const question = `
    with ${COUNTED}, sold as (
      select product_id, pbp_id, product_name, plan_name, label, price, currency,
             count(*)::int as subscriptions
        from counted
       where status in ('active', 'due', 'pending_checkout')
         and not (status = 'active' and is_one_time)
       group by product_id, pbp_id, product_name, plan_name, label, price, currency
    )
    select s.product_id, s.product_name, s.plan_name, s.label, s.currency, s.subscriptions,
           coalesce(s.price::text, '') as price,
           l.price as listed_price, l.currency as listed_currency
      from sold s left join listed l on l.product_id = s.product_id and l.pbp_id = s.pbp_id
     where exists (select 1 from listed)
       and (l.pbp_id is null or l.currency <> s.currency
         or case when l.price ~ '^[0-9]{1,20}([.][0-9]{1,10})?$'
                 then l.price::numeric <> s.price end)`;
  const order = "subscriptions desc, product_name, plan_name, label";
  return some(db, question, order, [seller_id, mode]);
}

/** Subscriptions whose buyer's phone no customer has. */
async function findStrays(db: Database, { seller_id, mode }: KeyOwner): Promise<Some<Stray>> {
  const question = `
    select s.id as subscription_id, s.full_name, s.phone, s.created_at
      from mirror_subscription s
     where s.seller_id = $1 and s.mode = $2 and s.phone_key <> ''
       and exists (select 1 from mirror_customer where seller_id = $1 and mode = $2)
       and not exists (select 1 from mirror_customer c
                        where c.seller_id = $1 and c.mode = $2 and c.phone_key = s.phone_key)`;
  const found = await some<Stray & { created_at: string }>(
    db,
    question,
    "created_at desc nulls last",
    [seller_id, mode],
  );
  return {
    count: found.count,
    shown: found.shown.map(({ subscription_id, full_name, phone }) => ({
      subscription_id,
      full_name,
      phone,
    })),
  };
}

async function countRepaired(
  db: Database,
  { seller_id, mode }: KeyOwner,
  check_id: string,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from reconciliation_record
      where check_id = $1 and seller_id = $2 and mode = $3 and is_repaired
        and state in ('equal', 'unknown')`,
    [check_id, seller_id, mode],
  );
  return rows[0]?.count ?? 0;
}

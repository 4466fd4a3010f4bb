import { randomUUID } from "node:crypto";
import { MAX_PAGE_SIZE } from "#contract/pagination.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { Database } from "../db/database.ts";
import type { Paging } from "../http/pagination.ts";
import { VISIBLE_PERIOD } from "../products/store.ts";

export interface BillingDetails {
  business_name: string;
  email: string;
  address: string;
  pan_vat: string;
}

export interface ShippingDetails {
  phone: string;
  full_name: string;
  email: string;
  address: string;
}

/** A subscription with the names and price that its product has today. */
export interface SubscriptionRow {
  subscription_id: string;
  seller_id: number;
  customer_id: number;
  product_id: string;
  plan_id: string;
  pbp_id: string;
  is_one_time: boolean;
  status: SubscriptionStatus;
  phone: string;
  full_name: string;
  email: string;
  address: string;
  billing: BillingDetails | null;
  shipping: ShippingDetails | null;
  return_url: string;
  current_period_start: Date | null;
  next_billing_cycle: Date | null;
  anchor_day: number | null;
  /** Which schedule of billing dates it follows: each reschedule begins a new one. */
  schedule: number;
  created_at: Date;
  product_name: string;
  plan_name: string;
  label: string;
  price: string;
  currency: string;
  interval_type: string;
  interval_count: number;
}

const select = (source: string) => `
  select s.position, s.subscription_id, s.seller_id, s.customer_id, s.product_id, s.plan_id, s.pbp_id,
    s.is_one_time, s.status, s.phone, s.full_name, s.email, s.address, s.billing, s.shipping,
    s.return_url, s.current_period_start, s.next_billing_cycle, s.anchor_day, s.schedule, s.created_at,
    p.name as product_name, l.plan_name, b.label, b.price::text as price, b.currency,
    b.interval_type, b.interval_count
  from ${source} s
  join product p using (product_id)
  join plan l using (plan_id)
  join billing_period b using (pbp_id)`;

export async function selectSubscription(
  database: Database,
  sellerId: number,
  subscriptionId: string,
): Promise<SubscriptionRow | null> {
  const { rows } = await database.query<SubscriptionRow>(
    `${select("subscription")} where s.seller_id = $1 and s.subscription_id = $2`,
    [sellerId, subscriptionId],
  );
  return rows[0] ?? null;
}

declare const locked: unique symbol;
/** Only a locked row can change its status, and only `lockSubscription` hands one out. */
export type LockedSubscription = SubscriptionRow & { [locked]: true };

/** The same row, locked until the transaction ends. */
export async function lockSubscription(
  database: Database,
  sellerId: number,
  subscriptionId: string,
): Promise<LockedSubscription | null> {
  // In a statement of its own: a join that had to wait for the lock would be joined as it stood
  // before, and a period changed meanwhile would make the row vanish.
  const { rowCount } = await database.query(
    `select 1 from subscription where seller_id = $1 and subscription_id = $2
     for no key update`,
    [sellerId, subscriptionId],
  );
  if (rowCount === 0) return null;
  return (await selectSubscription(database, sellerId, subscriptionId)) as LockedSubscription;
}

/** The public checkout knows the id alone; the seller comes out of the row. */
export async function findSellerIdOf(database: Database, subscriptionId: string) {
  const { rows } = await database.query<{ seller_id: number }>(
    "select seller_id from subscription where subscription_id = $1",
    [subscriptionId],
  );
  return rows[0]?.seller_id ?? null;
}

export interface Tally {
  status: SubscriptionStatus;
  is_one_time: boolean;
  rows: number;
}

export interface SubscriptionPageRows {
  /** Of the whole seller, as it stood when the rows were read. */
  tallies: Tally[];
  rows: SubscriptionRow[];
}

/** One page of all: positions have no gaps, so the page is a range of them. */
export const selectPage = (
  database: Database,
  sellerId: number,
  { page, pageSize }: Paging,
): Promise<SubscriptionPageRows> =>
  selectWithTallies(database, PAGE_OF_ALL, [sellerId, (page - 1) * pageSize, pageSize]);

/**
 * One page of a status: the tallies are descended from the wide blocks into one narrow block, so
 * that fewer than 128 rows are skipped however deep the page lies.
 */
export const selectPageOfStatus = (
  database: Database,
  sellerId: number,
  status: SubscriptionStatus,
  { page, pageSize }: Paging,
): Promise<SubscriptionPageRows> =>
  selectWithTallies(database, PAGE_OF_STATUS, [
    sellerId,
    (page - 1) * pageSize,
    pageSize,
    status,
  ]);

async function selectWithTallies(
  database: Database,
  text: string,
  values: unknown[],
): Promise<SubscriptionPageRows> {
  type Row = SubscriptionRow & { tallies: Tally[] | null };
  const { rows } = await database.query<Row>(text, values);
  // A page without rows still has one, of nulls, for the tallies.
  return {
    tallies: rows[0]?.tallies ?? [],
    rows: rows.filter((row) => row.subscription_id !== null),
  };
}

// In one statement, so that count, counters and rows are those of one moment. The constant limit
// only tells the planner how few rows are joined.
const withTallies = (page: string) => `
  with kept as (
    select coalesce(sum(rows), 0) as count,
      json_agg(json_build_object('status', status, 'is_one_time', is_one_time, 'rows', rows))
        as tallies
    from subscription_tally where seller_id = $1 and size = 0
  ), ${page}
  select s.*, case when row_number() over (order by s.position desc) = 1 then k.tallies end as tallies
  from kept k left join (${select("page")}) s on true
  order by s.position desc`;

const PAGE_OF_ALL = withTallies(`page as (
    select s.* from kept k cross join lateral (
      select * from subscription
      where seller_id = $1 and position <= k.count - $2 and position > k.count - $2 - $3::bigint
      order by position desc limit ${MAX_PAGE_SIZE}
    ) s
  )`);

// Each level is a lateral subquery with a limit: joined freely, the planner may read a whole level.
const PAGE_OF_STATUS = withTallies(`wide as (
    select block, newer from (
      select block, sum(rows) as rows,
             sum(sum(rows)) over (order by block desc) - sum(rows) as newer
      from subscription_tally
      where seller_id = $1 and size = 16384 and status = $4 and rows > 0 group by block
    ) t where newer <= $2 and newer + rows > $2 limit 1
  ), narrow as (
    select n.block, n.newer from wide w cross join lateral (
      select block, sum(rows) as rows,
             w.newer + sum(sum(rows)) over (order by block desc) - sum(rows) as newer
      from subscription_tally
      where seller_id = $1 and size = 128 and status = $4 and rows > 0
        and block >= w.block * 128 and block < (w.block + 1) * 128 group by block
    ) n where n.newer <= $2 and n.newer + n.rows > $2 limit 1
  ), chosen as (
    select c.position from narrow n cross join lateral (
      select position from subscription
      where seller_id = $1 and status = $4 and position < (n.block + 1) * 128
      order by position desc offset $2 - n.newer limit $3
    ) c limit ${MAX_PAGE_SIZE}
  ), page as (
    select s.* from chosen c join subscription s on s.seller_id = $1 and s.position = c.position
  )`);

export interface VisiblePeriod {
  pbp_id: string;
  plan_id: string;
  product_id: string;
  interval_type: string;
}

export async function findVisiblePeriod(database: Database, sellerId: number, pbpId: string) {
  const { rows } = await database.query<VisiblePeriod>(
    `select b.pbp_id, b.plan_id, l.product_id, b.interval_type
     from billing_period b join plan l using (plan_id) join product p using (product_id)
     where b.seller_id = $1 and b.pbp_id = $2 and p.is_active and ${VISIBLE_PERIOD}`,
    [sellerId, pbpId],
  );
  return rows[0] ?? null;
}

/** The buyer's active recurring subscription for that billing period; there is at most one. */
export async function findActiveId(
  database: Database,
  sellerId: number,
  { customer_id, pbp_id }: Pick<SubscriptionRow, "customer_id" | "pbp_id">,
): Promise<string | null> {
  const { rows } = await database.query<{ subscription_id: string }>(
    `select subscription_id from subscription where seller_id = $1 and customer_id = $2
     and pbp_id = $3 and status = 'active' and not is_one_time`,
    [sellerId, customer_id, pbp_id],
  );
  return rows[0]?.subscription_id ?? null;
}

export interface Order {
  seller_id: number;
  customer_id: number;
  period: VisiblePeriod;
  phone: string;
  full_name: string;
  email: string;
  address: string;
  /** As far as the request gave them; what it leaves out of them stays as it was. */
  billing: Partial<BillingDetails> | null;
  shipping: Partial<ShippingDetails> | null;
  /** The buyer's own, used where neither the request nor the reused record has any. */
  profile_billing: BillingDetails | null;
  return_url: string;
}

export interface StoredOrder {
  subscription_id: string;
  created_at: Date;
}

/** Overwrites the buyer's pending one of that plan; what the order leaves out stays. */
export async function reusePending(
  database: Database,
  order: Order,
): Promise<StoredOrder | null> {
  const { rows } = await database.query<StoredOrder>(
    `update subscription set pbp_id = $4, is_one_time = $5, phone = $6, full_name = $7, email = $8,
       address = $9,
       billing = coalesce(coalesce(billing, '{"pan_vat": ""}') || $10, billing, $11),
       shipping = coalesce(coalesce(shipping, '{"address": ""}') || $12, shipping),
       return_url = $13
     where seller_id = $1 and customer_id = $2 and plan_id = $3 and status = 'pending_checkout'
     returning subscription_id, created_at`,
    [order.seller_id, order.customer_id, order.period.plan_id, ...orderValues(order)],
  );
  return rows[0] ?? null;
}

const orderValues = (order: Order) => [
  order.period.pbp_id,
  order.period.interval_type === "one_time",
  order.phone,
  order.full_name,
  order.email,
  order.address,
  order.billing,
  order.profile_billing,
  order.shipping,
  order.return_url,
];

export async function insertPending(
  database: Database,
  order: Order,
  created_at: Date,
): Promise<StoredOrder> {
  const subscription_id = randomUUID();
  await database.query(
    `with place as (
       update seller set last_position = last_position + 1 where seller_id = $1
       returning last_position
     )
     insert into subscription (seller_id, customer_id, plan_id, pbp_id, is_one_time, phone,
       full_name, email, address, billing, shipping, return_url, subscription_id, created_at,
       product_id, status, position)
     select $1::bigint, $2::bigint, $3::uuid, $4, $5::boolean, $6, $7, $8, $9,
       coalesce('{"pan_vat": ""}' || $10::jsonb, $11::jsonb), '{"address": ""}' || $12::jsonb, $13,
       $14::uuid, $15::timestamptz, $16::uuid, 'pending_checkout', last_position from place`,
    [
      order.seller_id,
      order.customer_id,
      order.period.plan_id,
      ...orderValues(order),
      subscription_id,
      created_at,
      order.period.product_id,
    ],
  );
  return { subscription_id, created_at };
}

export interface Dates {
  current_period_start: Date | null;
  next_billing_cycle: Date | null;
  anchor_day: number | null;
  schedule?: number;
}

/** Called by `changeStatus` alone. */
export async function updateStatus(
  database: Database,
  subscription: LockedSubscription,
): Promise<void> {
  await database.query(
    `update subscription set status = $3, current_period_start = $4, next_billing_cycle = $5,
       anchor_day = $6, schedule = $7 where seller_id = $1 and subscription_id = $2`,
    [
      subscription.seller_id,
      subscription.subscription_id,
      subscription.status,
      subscription.current_period_start,
      subscription.next_billing_cycle,
      subscription.anchor_day,
      subscription.schedule,
    ],
  );
}

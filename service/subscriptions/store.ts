import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { BillingDetails } from "../customers/store.ts";
import { queryRow, queryRows, queryValue, type Database } from "../db/database.ts";

export interface ShippingDetails {
  phone: string;
  full_name: string;
  email: string;
  address: string;
}

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
  /** The number of its schedule of billing dates; each reschedule starts a new one. */
  schedule: number;
  /** The move to another billing period that awaits the next billing date, or null. */
  move_id: number | null;
  created_at: Date;
  product_name: string;
  plan_name: string;
  label: string;
  price: string;
  currency: string;
  interval_type: string;
  interval_count: number;
}

/** Selects from the table, or from a subquery of whole rows of it. */
export const selectSubscriptionSql = (source: string) => `
  select s.position, s.subscription_id, s.seller_id, s.customer_id, s.product_id, s.plan_id, s.pbp_id,
    s.is_one_time, s.status, s.phone, s.full_name, s.email, s.address, s.billing, s.shipping,
    s.return_url, s.current_period_start, s.next_billing_cycle, s.anchor_day, s.schedule, s.move_id,
    s.created_at,
    p.name as product_name, l.plan_name, b.label, b.price::text as price, b.currency,
    b.interval_type, b.interval_count
  from ${source} s
  join product p using (seller_id, product_id)
  join plan l using (seller_id, plan_id)
  join billing_period b using (seller_id, pbp_id)`;

export const selectSubscription = (
  database: Database,
  sellerId: number,
  subscriptionId: string,
) =>
  queryRow<SubscriptionRow>(
    database,
    `${selectSubscriptionSql("subscription")} where s.seller_id = $1 and s.subscription_id = $2`,
    [sellerId, subscriptionId],
  );

export const selectSubscriptions = (database: Database, sellerId: number, ids: string[]) =>
  queryRows<SubscriptionRow>(
    database,
    `${selectSubscriptionSql("subscription")}
     where s.seller_id = $1 and s.subscription_id = any ($2)`,
    [sellerId, ids],
  );

declare const locked: unique symbol;
/**
 * A row that is locked. Only such a row can change its status, and only `lockSubscription` returns
 * one.
 */
export type LockedSubscription = SubscriptionRow & { [locked]: true };

/** Selects and locks the row until the transaction ends. */
export async function lockSubscription(
  database: Database,
  sellerId: number,
  subscriptionId: string,
): Promise<LockedSubscription | null> {
  // A separate statement: a join that waits for the lock would use older versions of the joined
  // rows, and a period changed in the meantime would make the row disappear.
  const { rowCount } = await database.query(
    `select 1 from subscription where seller_id = $1 and subscription_id = $2
     for no key update`,
    [sellerId, subscriptionId],
  );
  if (rowCount === 0) return null;
  return (await selectSubscription(database, sellerId, subscriptionId)) as LockedSubscription;
}

/**
 * Locks a seller's counts of subscriptions until the transaction ends. Needed before several
 * changes of status: each locks the counts of two statuses, and in another order than a payment's
 * this would deadlock.
 */
export const lockCounts = (database: Database, sellerId: number) =>
  database.query(
    `select from subscription_tally where seller_id = $1 and size = 0
     order by status, block, is_one_time for no key update`,
    [sellerId],
  );

/** Finds the seller of a subscription, because the checkout only knows the subscription's id. */
export const findSellerIdOf = (database: Database, subscriptionId: string) =>
  queryValue<number>(database, "select seller_id from directory where id = $1", [
    subscriptionId,
  ]);

/** The buyer's active recurring subscription for that billing period; there is at most one. */
export const findActiveId = (
  database: Database,
  sellerId: number,
  { customer_id, pbp_id }: Pick<SubscriptionRow, "customer_id" | "pbp_id">,
) =>
  queryValue<string>(
    database,
    `select subscription_id from subscription where seller_id = $1 and customer_id = $2
     and pbp_id = $3 and status = 'active' and not is_one_time`,
    [sellerId, customer_id, pbp_id],
  );

export interface SubscriptionDates {
  current_period_start: Date | null;
  next_billing_cycle: Date | null;
  anchor_day: number | null;
  schedule?: number;
}

export const updateStatus = (database: Database, subscription: LockedSubscription) =>
  database.query(
    `update subscription set status = $3, current_period_start = $4, next_billing_cycle = $5,
       anchor_day = $6, schedule = $7, pbp_id = $8, move_id = $9
     where seller_id = $1 and subscription_id = $2`,
    [
      subscription.seller_id,
      subscription.subscription_id,
      subscription.status,
      subscription.current_period_start,
      subscription.next_billing_cycle,
      subscription.anchor_day,
      subscription.schedule,
      subscription.pbp_id,
      subscription.move_id,
    ],
  );

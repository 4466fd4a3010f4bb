import { randomUUID } from "node:crypto";
import type { BillingDetails } from "../customers/store.ts";
import { queryRow, type Database } from "../db/database.ts";
import { VISIBLE_PERIOD } from "../products/store.ts";
import type { ShippingDetails } from "./store.ts";

interface VisiblePeriod {
  pbp_id: string;
  plan_id: string;
  product_id: string;
  interval_type: string;
}

export const findVisiblePeriod = (database: Database, sellerId: number, pbpId: string) =>
  queryRow<VisiblePeriod>(
    database,
    `select b.pbp_id, b.plan_id, l.product_id, b.interval_type
     from billing_period b join plan l using (seller_id, plan_id) join product p using (seller_id, product_id)
     where b.seller_id = $1 and b.pbp_id = $2 and p.is_active and ${VISIBLE_PERIOD}`,
    [sellerId, pbpId],
  );

export interface SubscriptionOrder {
  seller_id: number;
  customer_id: number;
  period: VisiblePeriod;
  phone: string;
  full_name: string;
  email: string;
  address: string;
  billing: Partial<BillingDetails> | null;
  shipping: Partial<ShippingDetails> | null;
  /** The buyer's profile, used if neither the request nor the reused subscription has details. */
  profile_billing: BillingDetails | null;
  return_url: string;
}

interface StoredOrder {
  subscription_id: string;
  created_at: Date;
}

/**
 * Updates the buyer's pending subscription of that plan; omitted fields stay unchanged. Spec
 * choice, failed payments: this restarts its checkout's idle time.
 */
export const reusePendingSubscription = (
  database: Database,
  order: SubscriptionOrder,
  now: Date,
) =>
  queryRow<StoredOrder>(
    database,
    `update subscription set pbp_id = $4, is_one_time = $5, phone = $6, full_name = $7, email = $8,
       address = $9,
       billing = coalesce(coalesce(billing, '{"pan_vat": ""}') || $10, billing, $11),
       shipping = coalesce(coalesce(shipping, '{"address": ""}') || $12, shipping),
       return_url = $13,
       checkout_activity_at = greatest(coalesce(checkout_activity_at, created_at), $14)
     where seller_id = $1 and customer_id = $2 and plan_id = $3 and status = 'pending_checkout'
     returning subscription_id, created_at`,
    [order.seller_id, order.customer_id, order.period.plan_id, ...orderValues(order), now],
  );

const orderValues = (order: SubscriptionOrder) => [
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

export async function insertPendingSubscription(
  database: Database,
  order: SubscriptionOrder,
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

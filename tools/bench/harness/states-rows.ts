import type { Database } from "../../../service/db/database.ts";

export const STATES_CLOCK_START = "2026-03-10T06:00:00Z";

const STATEMENTS = [
  `insert into product (product_id, seller_id, name, created_at, updated_at)
   select gen_random_uuid(), $1::bigint, 'Milk', $3::timestamptz, $3::timestamptz where $2::int > 0`,
  `insert into plan (plan_id, product_id, seller_id, plan_name, plan_order)
   select gen_random_uuid(), product_id, $1::bigint, 'Daily litre', 1 from product
   where seller_id = $1::bigint and $2::int > 0 and $3::timestamptz > '2000-01-01'`,
  `insert into billing_period
     (pbp_id, plan_id, seller_id, interval_type, interval_count, label, price, currency, period_order)
   select 'monthly-' || $1::bigint, plan_id, $1::bigint, 'month', 1, 'Monthly', 1000, 'NPR', 1 from plan
   where seller_id = $1::bigint and $2::int > 0 and $3::timestamptz > '2000-01-01'`,
  `insert into webhook (seller_id, event, endpoint_url, sealed_secret, created_at)
   select $1::bigint, event, 'https://shop.example/hook', '', $3::timestamptz
   from (values ('checkout.succeeded'), ('subscription.status_changed')) e (event) where $2::int > 0`,
  `insert into customer (seller_id, position, buyer_phone, phone_key, buyer_email, full_name, address,
     created_at)
   select $1::bigint, n, '98' || n, '98' || n, 'buyer' || n || '@example.com', 'Asmita Rai ' || n,
     'Patan, Lalitpur', $3::timestamptz from generate_series(1, $2::int) n`,
  // All subscriptions are active: a month moves each of them twice.
  `insert into subscription (subscription_id, seller_id, position, customer_id, product_id, plan_id,
     pbp_id, is_one_time, status, phone, full_name, email, address, return_url,
     current_period_start, next_billing_cycle, anchor_day, created_at)
   select gen_random_uuid(), $1::bigint, c.position, c.id, product_id, plan_id, 'monthly-' || $1::bigint, false,
     'active', buyer_phone, full_name, buyer_email, c.address, 'https://shop.example/',
     $3::timestamptz - interval '10 days', $3::timestamptz + c.position % 20 * interval '1 day', 10, $3::timestamptz
   from customer c join plan l on l.seller_id = c.seller_id where c.seller_id = $1::bigint and $2::int > 0`,
  `insert into payment (payment_id, seller_id, subscription_id, period_start, amount, currency, fee, method,
     paid_at)
   select gen_random_uuid(), $1::bigint, subscription_id, current_period_start, 1000, 'NPR', 19.90, 'wallet', $3::timestamptz
   from subscription where seller_id = $1::bigint and $2::int > 0`,
  `insert into checkout_attempt (attempt_id, seller_id, subscription_id, method, code_hash, state,
     created_at, expires_at)
   select gen_random_uuid(), $1::bigint, subscription_id, 'wallet', sha256('code'), 'paid', $3::timestamptz, $3::timestamptz
   from subscription where seller_id = $1::bigint and $2::int > 0`,
  `insert into event (event_id, seller_id, subscription_id, event, old_status, new_status, reason,
     created_at)
   select gen_random_uuid(), $1::bigint, subscription_id, event, 'pending_checkout', 'active', 'payment', $3::timestamptz
   from subscription
   cross join (values ('checkout.succeeded'), ('subscription.status_changed')) e (event)
   where seller_id = $1::bigint and $2::int > 0`,
  `insert into delivery (seller_id, webhook_id, event_id, event, subscription_id, body, state,
     first_attempt_at, finished_at, created_at)
   select $1::bigint, w.id, event_id, e.event, subscription_id, json_build_object('id', event_id, 'event',
     e.event, 'type', e.event, 'timestamp', wire_time(e.created_at), 'subscription_id',
     subscription_id, 'old_status', old_status, 'new_status', new_status, 'reason', reason)::text,
     'delivered', $3::timestamptz, $3::timestamptz, $3::timestamptz
   from event e join webhook w on w.seller_id = $1::bigint and w.event = e.event
   where e.seller_id = $1::bigint and $2::int > 0`,
  `insert into delivery_attempt (delivery_id, seller_id, endpoint_url, started_at, duration_ms,
     signatures, response_code, response_body)
   select delivery_id, $1::bigint, 'https://shop.example/hook', $3::timestamptz, 20, 'v1,' || encode(sha256('x'), 'base64'),
     200, 'ok' from delivery where seller_id = $1::bigint and $2::int > 0`,
];

/** Adds subscriptions of one seller, each with the rows of a first payment. */
export async function fillAccount(
  database: Database,
  sellerId: number,
  subscriptions: number,
): Promise<void> {
  for (const statement of STATEMENTS)
    await database.query(statement, [sellerId, subscriptions, STATES_CLOCK_START]);
  await database.query(
    "update seller set last_position = $2::int, last_customer_position = $2::int where seller_id = $1::bigint",
    [sellerId, subscriptions],
  );
}

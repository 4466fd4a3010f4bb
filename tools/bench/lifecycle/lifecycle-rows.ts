import type pg from "pg";

/**
 * The time at which the clock starts. The sellers' days end at different minutes of the following
 * day.
 */
export const LIFECYCLE_CLOCK_START = "2026-03-10T12:00:00Z";
/** The number of subscriptions that change on each day, and of checkouts that are abandoned. */
export const CHANGES_PER_DAY = 10_000;
const SELLERS = 1_440;
// One statement over many millions of rows keeps all its trigger calls waiting until its end.
const ROWS_PER_STATEMENT = 200_000;

const SELLER_ROWS = `
  insert into seller (name, kyc_verified, api_usage_type, time_zone, grace_days, created_at,
    last_position, last_customer_position)
  select 'Seller ' || n, true, 'payment', case when n % 1440 < 720 then '-' else '+' end
      || to_char(make_interval(mins => abs(n % 1440 - 720)), 'HH24:MI'), 7,
    '2025-01-01', 1 + ($1::int - 1 - n) / $2::int, 1 + ($1::int - 1 - n) / $2::int
  from generate_series(0, $2::int - 1) n`;

// One product per seller, and an endpoint for the events of the sweeps.
const CATALOGUE = [
  `insert into product (product_id, seller_id, name, created_at, updated_at)
   select gen_random_uuid(), seller_id, 'Milk', created_at, created_at from seller`,
  `insert into plan (plan_id, product_id, seller_id, plan_name, plan_order)
   select gen_random_uuid(), product_id, seller_id, 'Daily litre', 1 from product`,
  `insert into billing_period
     (pbp_id, plan_id, seller_id, interval_type, interval_count, label, price, currency, period_order)
   select 'monthly-' || seller_id, plan_id, seller_id, 'month', 1, 'Monthly', 1000, 'NPR', 1 from plan`,
  `insert into webhook (seller_id, event, endpoint_url, sealed_secret, created_at)
   select seller_id, event, 'https://shop.example/hook', '', created_at
   from seller cross join (values ('checkout.failed'), ('subscription.status_changed')) e (event)`,
];

const CUSTOMERS = `
  insert into customer
    (seller_id, position, buyer_phone, phone_key, buyer_email, full_name, address, created_at)
  select s.seller_id, 1 + n / $2::int, '98' || n, '98' || n, 'buyer@example.com', 'Asmita Rai',
    'Patan, Lalitpur', '2025-01-01'
  from generate_series($1::int, $3::int - 1) n
  join seller s on s.name = 'Seller ' || n % $2::int`;

// Of a hundred subscriptions 62 are active, 5 due, 2 pending cancellation, 8 unpaid, 18 ended and 5
// one-time purchases. Their dates are spread so that `CHANGES_PER_DAY` of them change each day.
const PLACES = `
  create temporary table placed as
  with drawn as (
    select id, case when lot < 62 then 'active' when lot < 67 then 'due'
      when lot < 69 then 'pending_cancellation' when lot < 77 then 'pending_checkout'
      when lot < 90 then 'inactive' when lot < 95 then 'cancelled' else 'once' end as kind
    from (select id, id * 37 % 100 as lot from customer) c
  ), sorted as (
    select *, kind in ('active', 'due', 'pending_cancellation') as runs from drawn
  )
  select id, kind, runs, (row_number() over (partition by runs, kind = 'pending_checkout'
      order by hashint8(id)) - 1)::int as place
  from sorted`;

const SUBSCRIPTIONS = `
  with dated as (
    select c.*, kind, runs,
      ($1::timestamptz)::date + place / $2::int - case kind when 'due' then 7 else 0 end as day,
      $1::timestamptz - place * interval '1 day' / $2::int as made_at
    from placed join customer c using (id)
    where id >= $3 and id < $4
  )
  insert into subscription (subscription_id, seller_id, position, customer_id, product_id, plan_id,
    pbp_id, is_one_time, status, phone, full_name, email, address, return_url,
    current_period_start, next_billing_cycle, anchor_day, created_at, abandoned_at)
  select gen_random_uuid(), seller_id, position, id, product_id, plan_id, 'monthly-' || seller_id,
    kind = 'once', case kind when 'once' then 'active' else kind end,
    buyer_phone, full_name, buyer_email, address, 'https://shop.example/',
    case when runs then made_at - interval '30 days' end,
    case when runs then (day + time '12:00') at time zone zone_name(time_zone) end,
    case when runs then 10 end, made_at,
    case when kind = 'pending_checkout' and made_at <= $1::timestamptz - interval '1 day'
      then made_at + interval '1 day' end
  from dated join seller using (seller_id) join plan using (seller_id)`;

/** Adds subscriptions of many sellers, whose days end at different minutes. */
export async function fillRows(
  pool: pg.Pool,
  subscriptions: number,
  most = SELLERS,
): Promise<void> {
  const sellers = Math.min(most, subscriptions);
  const client = await pool.connect();
  // No statement timeout: inserting a million rows takes longer than the service's.
  await client.query("set statement_timeout = 0");
  await client.query(SELLER_ROWS, [subscriptions, sellers]);
  for (const statement of CATALOGUE) await client.query(statement);
  for (const [from, to] of slices(0, subscriptions))
    await client.query(CUSTOMERS, [from, sellers, to]);
  await client.query(PLACES);
  await client.query("create index on placed (id)");
  await client.query("analyze placed, customer, seller, plan");
  const { rows } = await client.query<{ first: number; last: number }>(
    "select min(id) as first, max(id) as last from placed",
  );
  const [ids] = rows;
  for (const [from, to] of slices(Number(ids?.first), Number(ids?.last) + 1))
    await client.query(SUBSCRIPTIONS, [LIFECYCLE_CLOCK_START, CHANGES_PER_DAY, from, to]);
  await client.query("vacuum analyze");
  await client.query("checkpoint");
  client.release(true);
}

/** The ranges that divide the numbers from `first` to before `end`. */
function slices(first: number, end: number): [number, number][] {
  return Array.from({ length: Math.ceil((end - first) / ROWS_PER_STATEMENT) }, (_, index) => {
    const from = first + index * ROWS_PER_STATEMENT;
    return [from, Math.min(end, from + ROWS_PER_STATEMENT)];
  });
}

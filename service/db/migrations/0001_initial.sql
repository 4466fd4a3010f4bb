-- Every row carries seller_id, and every query filters by it.

create table seller (
  seller_id bigint generated always as identity primary key,
  name text not null unique,
  kyc_verified boolean not null default false,
  api_usage_type text check (api_usage_type in ('payment', 'reminder_and_payment')),
  time_zone text not null default 'Asia/Kathmandu',
  grace_days smallint not null default 7 check (grace_days between 0 and 90),
  -- How many subscriptions the seller ever had; the newest one's position.
  last_position bigint not null default 0,
  created_at timestamptz not null
);

create table api_key (
  key_id bigint generated always as identity primary key,
  seller_id bigint not null references seller,
  mode text not null check (mode in ('test', 'live')),
  prefix text not null unique,
  secret_hash bytea not null check (length(secret_hash) = 32),
  last_four text not null,
  is_active boolean not null default true,
  created_at timestamptz not null
);

create table product (
  product_id uuid primary key,
  seller_id bigint not null references seller,
  -- Newest first with a stable tie-break, also where many share one created_at.
  position bigint generated always as identity,
  name text not null,
  description text not null default '',
  type text not null default 'simple',
  is_active boolean not null default true,
  terms_and_conditions text not null default '',
  features_and_benefits text not null default '',
  is_vat_active boolean not null default false,
  vat_type text not null default 'inclusive' check (vat_type in ('inclusive', 'exclusive')),
  vat_percentage numeric(5, 2) not null default 0 check (vat_percentage between 0 and 100),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on product (seller_id, created_at desc, position desc);

create table product_image (
  product_id uuid not null references product,
  seller_id bigint not null references seller,
  image text not null,
  image_order integer not null,
  primary key (product_id, image_order)
);

create table plan (
  plan_id uuid primary key,
  product_id uuid not null references product,
  seller_id bigint not null references seller,
  plan_name text not null,
  description text not null default '',
  plan_order integer not null
);
create index on plan (product_id, plan_order);

create table billing_period (
  pbp_id text primary key,
  plan_id uuid not null references plan,
  seller_id bigint not null references seller,
  interval_type text not null check (interval_type in ('day', 'week', 'month', 'year', 'one_time')),
  interval_count integer not null check (interval_count > 0),
  label text not null,
  price numeric(14, 2) not null check (price >= 0),
  currency text not null,
  is_current boolean not null default true,
  is_limited boolean not null default false,
  is_archived boolean not null default false,
  period_order integer not null
);
create index on billing_period (plan_id, period_order);

create table offer (
  id uuid primary key,
  pbp_id text not null references billing_period,
  seller_id bigint not null references seller,
  discount_amount numeric(14, 2) not null check (discount_amount >= 0),
  starts_at date not null,
  valid_until date not null,
  is_active boolean not null default true,
  check (starts_at <= valid_until)
);
create index on offer (pbp_id);

create table customer (
  id bigint generated always as identity primary key,
  seller_id bigint not null references seller,
  buyer_phone text not null,
  phone_key text not null,
  buyer_email text not null,
  full_name text not null,
  address text not null,
  billing jsonb,
  created_at timestamptz not null,
  unique (seller_id, phone_key)
);

create table subscription (
  subscription_id uuid primary key,
  seller_id bigint not null references seller,
  -- 1, 2, 3 … without gaps within a seller: a page of the whole list is a range of positions.
  position bigint not null,
  customer_id bigint not null references customer,
  product_id uuid not null references product,
  plan_id uuid not null references plan,
  pbp_id text not null references billing_period,
  is_one_time boolean not null,
  status text not null check (status in
    ('pending_checkout', 'active', 'due', 'pending_cancellation', 'cancelled', 'inactive')),
  phone text not null,
  full_name text not null,
  email text not null,
  address text not null,
  billing jsonb,
  shipping jsonb,
  return_url text not null,
  current_period_start timestamptz,
  next_billing_cycle timestamptz,
  anchor_day smallint check (anchor_day between 1 and 31),
  created_at timestamptz not null,
  unique (seller_id, position),
  check (not is_one_time or status in ('pending_checkout', 'active', 'cancelled', 'inactive'))
);
-- Reuse of a pending one is per buyer and plan; the duplicate rule is per buyer and period.
create unique index one_pending_per_plan on subscription (customer_id, plan_id)
  where status = 'pending_checkout';
create unique index one_active_per_period on subscription (customer_id, pbp_id)
  where status = 'active' and not is_one_time;
create index subscription_by_status on subscription (seller_id, status, position desc);
create index on subscription (product_id) where status in ('active', 'due', 'pending_cancellation');

-- How many subscriptions stand in each status, for each run of 1,024 positions and (block -1) in
-- all: a list's count, counters and any page of it are read without counting or skipping rows.
create table subscription_tally (
  seller_id bigint not null references seller,
  status text not null,
  is_one_time boolean not null,
  block bigint not null,
  rows integer not null,
  primary key (seller_id, status, is_one_time, block)
);

-- Locks the tallies in one order, so that statements that move rows both ways cannot deadlock.
create function tally_subscriptions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into subscription_tally as t (seller_id, status, is_one_time, block, rows)
    select seller_id, status, is_one_time, b.block, count(*)
    from new_rows cross join lateral (values (-1), (position / 1024)) as b (block)
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (seller_id, status, is_one_time, block) do update set rows = t.rows + excluded.rows;
  else
    insert into subscription_tally as t (seller_id, status, is_one_time, block, rows)
    select m.seller_id, m.status, m.is_one_time, b.block, sum(m.change)
    from (
      select n.seller_id, n.position, v.status, v.is_one_time, v.change
      from new_rows n join old_rows o using (subscription_id)
      cross join lateral (values (n.status, n.is_one_time, 1), (o.status, o.is_one_time, -1))
        as v (status, is_one_time, change)
      where (n.status, n.is_one_time) <> (o.status, o.is_one_time)
    ) m cross join lateral (values (-1), (m.position / 1024)) as b (block)
    group by 1, 2, 3, 4 having sum(m.change) <> 0 order by 1, 2, 3, 4
    on conflict (seller_id, status, is_one_time, block) do update set rows = t.rows + excluded.rows;
  end if;
  return null;
end $$;

create trigger tally_inserted after insert on subscription
  referencing new table as new_rows
  for each statement execute function tally_subscriptions();
create trigger tally_updated after update on subscription
  referencing old table as old_rows new table as new_rows
  for each statement execute function tally_subscriptions();

create table payment (
  payment_id uuid primary key,
  seller_id bigint not null references seller,
  subscription_id uuid not null references subscription,
  period_start timestamptz not null,
  amount numeric(14, 2) not null,
  currency text not null,
  method text not null,
  paid_at timestamptz not null,
  -- The last guard: nothing pays one period twice.
  unique (subscription_id, period_start)
);

create table checkout_attempt (
  attempt_id uuid primary key,
  seller_id bigint not null references seller,
  subscription_id uuid not null references subscription,
  method text not null check (method in ('wallet', 'bank')),
  code_hash bytea not null,
  wrong_codes smallint not null default 0,
  state text not null default 'open' check (state in ('open', 'paid', 'declined', 'spent')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index on checkout_attempt (subscription_id, created_at desc);

-- The outbox: written in the transaction that makes the change, never changed afterwards.
create table event (
  event_id uuid primary key,
  sequence bigint generated always as identity unique,
  seller_id bigint not null references seller,
  subscription_id uuid not null references subscription,
  event text not null,
  old_status text,
  new_status text,
  reason text,
  created_at timestamptz not null
);
create index on event (seller_id, sequence);
create index on event (subscription_id, sequence);

-- The public address of a billing period, at which new buyers order by themselves (ADR 0060).
create table shared_link (
  shared_link_id bigint generated always as identity primary key,
  seller_id bigint not null references seller on delete cascade,
  -- The period on sale; a price that is changed takes its link along.
  pbp_id text not null unique references billing_period on delete cascade,
  -- The unguessable part of its address.
  link_key text not null unique,
  is_active boolean not null default true,
  created_at timestamptz not null
);
create index on shared_link (seller_id);

-- What somebody filled in there; a subscription once a code proves the number.
create table shared_link_order (
  order_id uuid primary key,
  seller_id bigint not null references seller on delete cascade,
  shared_link_id bigint not null references shared_link on delete cascade,
  -- The number as buyers are matched by it.
  phone_key text not null,
  full_name text not null,
  phone text not null,
  email text not null,
  address text not null,
  code_hash bytea not null,
  wrong_codes smallint not null default 0,
  state text not null default 'open' check (state in ('open', 'spent', 'done')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  subscription_id uuid references subscription on delete cascade,
  -- Whether the subscription began with this order; otherwise a waiting one was used again.
  is_origin boolean not null default false,
  check ((state = 'done') = (subscription_id is not null))
);
create index on shared_link_order (seller_id, created_at);
create index on shared_link_order (shared_link_id, created_at);
create unique index shared_link_origin on shared_link_order (subscription_id) where is_origin;
create index on shared_link_order (subscription_id);
create index on shared_link_order (expires_at) where subscription_id is null;

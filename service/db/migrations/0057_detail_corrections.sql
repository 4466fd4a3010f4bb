-- A buyer's request to correct their details at the checkout (ADR 0060): its code, and what it changed.
create table detail_correction (
  correction_id uuid primary key,
  seller_id bigint not null references seller,
  subscription_id uuid not null references subscription,
  code_hash bytea not null,
  wrong_codes smallint not null default 0,
  state text not null default 'open' check (state in ('open', 'spent', 'done')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  corrected_at timestamptz,
  -- field, before, after; null until it is done.
  changes jsonb,
  check ((state = 'done') = (corrected_at is not null and changes is not null))
);
create index on detail_correction (subscription_id, created_at desc);
create index on detail_correction (seller_id);

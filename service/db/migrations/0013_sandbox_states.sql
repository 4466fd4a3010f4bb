-- ADR 0077. A sandbox seller's whole account as it stood once: rows in bundles, as they are here.

-- How often all of its data were replaced: a move of the clock that began before goes no further.
alter table seller add column sandbox_replacements bigint not null default 0;

create table sandbox_state (
  id bigint generated always as identity primary key,
  seller_id bigint not null references seller,
  -- Saved by hand, or before what it makes undone.
  kind text not null check (kind in
    ('saved', 'before_move', 'before_scenario', 'before_reset', 'before_restore')),
  name text not null default '',
  -- Columns may differ after an update, so rows go back only into the tables they came from.
  schema_name text not null,
  -- What the seller's clock showed, and what goes back into the seller's own row.
  clock_at timestamptz not null,
  seller jsonb not null,
  subscriptions integer not null,
  customers integer not null,
  bytes bigint not null default 0,
  created_at timestamptz not null
);
create index on sandbox_state (seller_id, id desc);

create table sandbox_state_part (
  state_id bigint not null references sandbox_state on delete cascade,
  seller_id bigint not null references seller,
  table_name text not null,
  part integer not null,
  rows jsonb not null,
  primary key (state_id, table_name, part)
);

-- Clearing an account asks for each customer whether a subscription still needs it.
create index on subscription (customer_id);

-- A table of buyers that a seller brings, until it is deleted with all that it holds (lib/imports/data.ts).
create table import_run (
  id uuid primary key default gen_random_uuid(),
  seller_id uuid not null references seller on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  created_by uuid references app_user on delete set null,
  created_at timestamptz not null default now(),
  -- Null for cells that were pasted.
  file_name text,
  -- The first row of the file; null if it is a buyer like the others.
  headings jsonb,
  -- Of each column of the file its field, or null.
  columns jsonb not null,
  -- Null until the columns are confirmed.
  judged_at timestamptz,
  -- Whether the search index had every subscription when the rows were judged.
  is_index_whole boolean not null default false,
  date_order text not null default 'dmy' check (date_order in ('dmy', 'mdy')),
  -- What says so: days after the 12th in the file, the seller, or nothing.
  date_order_by text not null default 'none' check (date_order_by in ('file', 'seller', 'none')),
  -- What a row has where its own cell is empty.
  default_pbp_id text,
  default_email text,
  default_address text,
  -- What becomes of rows with a day paid until, if the service cannot take that day over.
  unpaid_choice text check (unpaid_choice in ('pending', 'skip')),
  started_at timestamptz,
  started_by uuid references app_user on delete set null,
  paused_at timestamptz,
  closed_at timestamptz,
  undo_started_at timestamptz
);
create index import_run_seller on import_run (seller_id, mode, created_at desc);

create table import_row (
  run_id uuid not null references import_run on delete cascade,
  seller_id uuid not null,
  mode text not null,
  -- The row's number in the file, as a spreadsheet counts.
  position integer not null,
  -- The texts as they came; null for a formula.
  cells jsonb not null,
  -- By field, what the seller wrote in place of the cell.
  mended jsonb not null default '{}',
  name text,
  phone text,
  phone_key text collate "C",
  email text,
  address text,
  pan_vat text,
  pbp_id text,
  product_id text,
  paid_until date,
  verdict text check (verdict in ('new', 'known', 'has', 'double', 'wrong')),
  problems text[] not null default '{}',
  -- The first row of the same buyer and product.
  double_of integer,
  -- The subscription that the buyer has already.
  existing_id text,
  -- What the seller says against the verdict.
  choice text check (choice in ('in', 'out')),
  is_made boolean not null generated always as (
    coalesce(verdict in ('new', 'known') and choice is distinct from 'out'
             or verdict in ('has', 'double') and choice = 'in', false)) stored,
  state text check (state in
    ('waiting', 'running', 'done', 'already', 'refused', 'failed', 'unknown', 'undone')),
  idempotency_key uuid not null default gen_random_uuid(),
  subscription_id text,
  checkout_url text,
  message text,
  claim uuid,
  claimed_until timestamptz,
  settled_at timestamptz,
  primary key (run_id, position)
);
create index import_row_verdict on import_row (run_id, verdict, position);
create index import_row_state on import_row (run_id, state, position);
create index import_row_buyer on import_row (run_id, phone_key, product_id, position);
-- What the search index may not show yet.
create index import_row_made on import_row (seller_id, mode, phone_key)
  where state = 'done';

-- Which field a heading stood for the last time.
create table import_heading (
  seller_id uuid not null references seller on delete cascade,
  heading_key text collate "C" not null,
  -- Null for a column that is not used.
  field text,
  used_at timestamptz not null default now(),
  primary key (seller_id, heading_key)
);

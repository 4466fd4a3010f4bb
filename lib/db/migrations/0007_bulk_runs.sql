-- What somebody asked to have done to many subscriptions at once, and how far it has come.
create table bulk_run (
  id uuid primary key default gen_random_uuid(),
  seller_id uuid not null references seller on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  operation text not null check (operation in ('cancel', 'resume', 'reschedule')),
  -- A reschedule's one date for all, or the days that each is moved by; neither puts back old dates.
  asked_day date,
  asked_days integer,
  -- The run that this one takes back.
  undo_of uuid references bulk_run on delete set null,
  started_by uuid references app_user on delete set null,
  created_at timestamptz not null default now(),
  paused_at timestamptz,
  -- Somebody decided that the rest stays undone.
  closed_at timestamptz
);
create index bulk_run_seller on bulk_run (seller_id, mode, created_at desc);

create table bulk_item (
  run_id uuid not null references bulk_run on delete cascade,
  seller_id uuid not null,
  mode text not null,
  position integer not null,
  subscription_id text not null,
  -- The name as it was then, for whoever reads the outcome; it goes with the run.
  buyer text not null,
  state text not null check (state in
    ('waiting', 'running', 'done', 'already', 'refused', 'failed', 'unknown', 'undone')),
  status_before text,
  day_before date,
  target_day date,
  status_after text,
  day_after date,
  message text,
  -- Who works on it: only the holder of the claim may write down what came of it.
  claim uuid,
  claimed_at timestamptz,
  settled_at timestamptz,
  primary key (run_id, subscription_id)
);
create index bulk_item_open on bulk_item (run_id, position)
  where state in ('waiting', 'running', 'unknown');

-- Which columns of a list somebody sees and in which order, on whatever device they sign in.
create table list_columns (
  user_id uuid not null references app_user on delete cascade,
  list text not null,
  shown text[] not null,
  primary key (user_id, list)
);

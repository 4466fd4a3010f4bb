-- When the first webhook came to the address of this copy; null before that: then none can be missed.
alter table mirror add column events_since timestamptz;

-- What webhooks said, newest and few: for comparing alone, since anybody who knows the address can send.
create table mirror_event (
  seller_id uuid not null,
  mode text not null,
  id bigint generated always as identity,
  -- As it was sent; null where it was no short text.
  event text,
  subscription_id text collate "C" not null,
  new_status text,
  received_at timestamptz not null default clock_timestamp(),
  primary key (seller_id, mode, id),
  foreign key (seller_id, mode) references mirror on delete cascade
);
create index mirror_event_subscription on mirror_event (seller_id, mode, subscription_id, id);

-- A comparison of the service with the copy. The last one that came to its end stays, and one that has
-- not: pages take it further step by step.
create table reconciliation (
  id uuid primary key default gen_random_uuid(),
  seller_id uuid not null,
  mode text not null,
  reach text not null check (reach in ('sample', 'all')),
  phase text not null default 'counting' check (phase in
    ('repairing', 'counting', 'naming', 'walking', 'reading', 'judging')),
  started_by uuid references app_user on delete set null,
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  paused_at timestamptz,
  -- Where it is: lists to be named, pages to be read.
  place jsonb not null default '{}',
  -- Records that were compared so far.
  compared integer not null default 0,
  -- What was found beside the records: counters, events, meaning.
  report jsonb not null default '{}',
  -- What stopped it, and until when nothing is asked.
  failure jsonb,
  wait_until timestamptz,
  claim uuid,
  claimed_until timestamptz,
  foreign key (seller_id, mode) references mirror on delete cascade
);
-- Only one is under way at a time.
create unique index reconciliation_open on reconciliation (seller_id, mode) where ended_at is null;
create index reconciliation_ended on reconciliation (seller_id, mode, ended_at);

create table reconciliation_record (
  check_id uuid not null references reconciliation on delete cascade,
  seller_id uuid not null,
  mode text not null,
  id text collate "C" not null,
  -- Both have it and say the same; the copy has none; the service has none; they differ; neither has
  -- it; it could not be read; it changed while it was read.
  state text not null check (state in
    ('waiting', 'equal', 'missing', 'extra', 'different', 'unknown', 'unread', 'moving')),
  -- True once it was to be put right.
  is_repaired boolean not null default false,
  -- What the service said its status is.
  service_status text,
  fields jsonb not null default '[]',
  primary key (check_id, id)
);
create index reconciliation_record_waiting on reconciliation_record (check_id, id)
  where state = 'waiting';
create index reconciliation_record_found on reconciliation_record (check_id, state, id)
  where state not in ('waiting', 'equal');

-- What was said of another account, or of a copy that was switched off, says nothing of this one.
create function forget_compared() returns trigger language plpgsql as $$
begin
  delete from mirror_event where seller_id = new.seller_id and mode = new.mode;
  delete from reconciliation where seller_id = new.seller_id and mode = new.mode;
  new.events_since := null;
  return new;
end
$$;
create trigger forget_compared before update of copy on mirror
  for each row when (old.copy is distinct from new.copy) execute function forget_compared();

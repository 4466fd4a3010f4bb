-- An account at this installation's own service that only sends messages, where another company's service keeps the
-- subscriptions.
create table message_account (
  seller_id uuid not null references seller on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  sealed_key bytea not null,
  key_id text not null,
  account_id bigint not null,
  -- When its reminders are planned next.
  next_at timestamptz not null default clock_timestamp(),
  claim uuid,
  claimed_until timestamptz,
  primary key (seller_id, mode)
);

-- A step of the schedule for one subscription and billing date that came due, and what became of it.
create table planned_reminder (
  seller_id uuid not null,
  mode text not null,
  -- Names step, subscription and billing date, as the service is told.
  cause text collate "C" not null,
  outcome text not null,
  -- Looked at again from then on; null once it is settled.
  again_at timestamptz,
  planned_at timestamptz not null,
  primary key (seller_id, mode, cause),
  foreign key (seller_id, mode) references message_account on delete cascade
);
create index planned_reminder_old on planned_reminder (seller_id, mode, planned_at);

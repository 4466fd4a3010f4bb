-- Reminders that the service sends by itself, on one schedule a seller.
create table reminder_schedule (
  seller_id bigint primary key references seller on delete cascade,
  is_on boolean not null default false,
  -- When it was last switched on, by the real clock, and how far the seller's clock was ahead then:
  -- a sandbox clock that goes back must not put it into the future.
  since timestamptz not null,
  since_offset_ms bigint not null,
  -- For buyers of whom no other language is known.
  language text not null,
  -- Local times as HH:MM; both null without quiet hours.
  quiet_from text,
  quiet_to text,
  -- 1 is Monday.
  weekdays smallint[] not null,
  -- To one buyer in seven days; null without a limit.
  most_a_week smallint check (most_a_week > 0),
  version uuid not null default gen_random_uuid()
);

create table reminder_step (
  step_id bigint generated always as identity primary key,
  seller_id bigint not null references reminder_schedule on delete cascade,
  position smallint not null,
  kind text not null check (kind in ('before', 'on_day', 'after', 'last_day', 'checkout_left')),
  days smallint check (days between 1 and 90),
  hours smallint check (hours between 1 and 720),
  -- Local time as HH:MM; null for a checkout that was left.
  at_time text,
  channel text check (channel in ('sms', 'whatsapp', 'email')),
  texts jsonb not null,
  -- As for the schedule: when it was added, or moved to another time.
  since timestamptz not null,
  since_offset_ms bigint not null,
  -- Up to where it was planned on that day: the billing date or idle time, and the subscription.
  run_day date,
  run_after timestamptz,
  run_after_id uuid,
  run_ended boolean not null default false,
  check ((kind in ('before', 'after')) = (days is not null)),
  check ((kind = 'checkout_left') = (hours is not null)),
  check ((kind = 'checkout_left') = (at_time is null))
);
create index on reminder_step (seller_id, position);

-- What a queued message reminds of. All times are by the seller's clock.
create table reminder (
  message_id uuid primary key references message on delete cascade,
  seller_id bigint not null references seller on delete cascade,
  step_id bigint not null,
  subscription_id uuid not null,
  customer_id bigint not null,
  schedule integer not null,
  -- The billing date that it is about; null for a checkout that was left.
  period_start timestamptz,
  -- Since when that checkout was left.
  idle_since timestamptz,
  planned_at timestamptz not null,
  -- Too late from then on.
  until timestamptz not null,
  sent_at timestamptz
);
create index on reminder (customer_id, sent_at) where sent_at is not null;
create index on reminder (subscription_id, planned_at);
create index on reminder (seller_id, planned_at, message_id);

create table reminder_hold (
  hold_id bigint generated always as identity primary key,
  seller_id bigint not null references seller on delete cascade,
  subscription_id uuid not null references subscription,
  -- The first day on which reminders go again; null for a hold of one step in one period.
  until date,
  step_id bigint,
  schedule integer,
  period_start timestamptz,
  created_at timestamptz not null,
  check ((until is null) = (step_id is not null))
);
create index on reminder_hold (subscription_id);
create unique index on reminder_hold (subscription_id) where until is not null;

-- Who is reminded, and who asked for an end of it.
create table reminder_recipient (
  recipient_id bigint generated always as identity primary key,
  -- The unguessable part of the address of their page.
  key text not null unique,
  seller_id bigint not null references seller on delete cascade,
  phone text not null,
  phone_key text not null,
  -- In lower case.
  email text not null,
  opted_out_at timestamptz,
  unique (seller_id, phone_key, email)
);
create index on reminder_recipient (seller_id, phone_key) where opted_out_at is not null;
create index on reminder_recipient (seller_id, email) where opted_out_at is not null;
create index on reminder_recipient (seller_id, recipient_id desc) where opted_out_at is not null;

create index subscription_by_billing_date on subscription (seller_id, next_billing_cycle, subscription_id)
  where status in ('active', 'due') and not is_one_time;
create index checkout_left on subscription
  (seller_id, (coalesce(checkout_activity_at, created_at)), subscription_id)
  where status = 'pending_checkout';

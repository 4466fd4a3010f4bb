-- What was done so that a buyer pays: the seller's own work, which is not gone with the copy (ADR 0179).
create table contact (
  id bigint generated always as identity primary key,
  seller_id uuid not null references seller on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  subscription_id text collate "C" not null,
  at timestamptz not null default clock_timestamp(),
  -- Both as they were then: it outlives accounts, and renaming rewrites nothing.
  person_id uuid not null,
  person_name text not null,
  kind text not null check (kind in ('reminder', 'note', 'promise', 'snooze', 'assign', 'courtesy')),
  channel text check (channel in ('whatsapp', 'viber', 'sms', 'mail', 'link', 'qr', 'call')),
  language text check (language in ('en', 'ne')),
  -- The billing date that it was about; null for a first payment. What was said of one is not said of the next.
  cycle timestamptz,
  -- note: text; promise: promised_for; snooze: snoozed_until (null takes either back); assign: assigned_to,
  -- assigned_name; courtesy: before, after, reason. Days are YYYY-MM-DD.
  detail jsonb not null default '{}',
  undone_at timestamptz,
  undone_by uuid,
  check ((undone_at is null) = (undone_by is null))
);
create index contact_subscription on contact (seller_id, mode, subscription_id, id);
create index contact_at on contact (seller_id, mode, at);
create index contact_person on contact (seller_id, mode, person_id, id);

-- Append-only, but that somebody may say once that it was not so; it goes with the seller alone.
create function refuse_contact_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.undone_at is null and new.undone_at is not null
     and to_jsonb(new) - 'undone_at' - 'undone_by' = to_jsonb(old) - 'undone_at' - 'undone_by'
  then return new; end if;
  -- Deeper than one: the seller's own end brought it here.
  if tg_op = 'DELETE' and pg_trigger_depth() > 1 then return old; end if;
  raise exception 'contact is append-only';
end
$$;
create trigger contact_append_only before update or delete on contact
  for each row execute function refuse_contact_change();

-- How each subscription's contacts stand, for a queue that is sorted by it: written by a trigger alone.
create table collection_state (
  seller_id uuid not null references seller on delete cascade,
  mode text not null,
  subscription_id text collate "C" not null,
  -- Of the last contact: promise, snooze and number of reminders are about this billing date.
  cycle timestamptz,
  promised_for date,
  snoozed_until date,
  reminders integer not null default 0,
  -- The rest holds from one billing date to the next.
  last_contact_id bigint,
  last_contact_at timestamptz,
  last_contact_by uuid,
  last_contact_name text,
  last_channel text,
  language text,
  assigned_to uuid,
  note text,
  note_at timestamptz,
  note_name text,
  primary key (seller_id, mode, subscription_id)
);
create index collection_state_assigned on collection_state (seller_id, mode, assigned_to)
  where assigned_to is not null;

create function keep_collection_state() returns trigger language plpgsql as $$
begin
  insert into collection_state (seller_id, mode, subscription_id)
  values (new.seller_id, new.mode, new.subscription_id)
  on conflict do nothing;
  -- Two colleagues at one buyer come one after the other: the next statement sees what both wrote.
  perform 1 from collection_state
    where seller_id = new.seller_id and mode = new.mode and subscription_id = new.subscription_id
      for update;
  with own as (
    select * from contact
     where seller_id = new.seller_id and mode = new.mode
       and subscription_id = new.subscription_id and undone_at is null
  ), latest as (select cycle from own order by id desc limit 1),
  about as (select own.* from own, latest where own.cycle is not distinct from latest.cycle),
  reached as (
    select * from own where kind = 'reminder' or channel = 'call' order by id desc limit 1),
  said as (select * from own where kind = 'note' order by id desc limit 1)
  update collection_state set
    cycle = (select cycle from latest),
    promised_for = (select (detail->>'promised_for')::date from about
                     where kind = 'promise' order by id desc limit 1),
    snoozed_until = (select (detail->>'snoozed_until')::date from about
                      where kind = 'snooze' order by id desc limit 1),
    reminders = (select count(*) from about where kind = 'reminder'),
    last_contact_id = (select id from reached),
    last_contact_at = (select at from reached),
    last_contact_by = (select person_id from reached),
    last_contact_name = (select person_name from reached),
    last_channel = (select channel from reached),
    language = (select own.language from own where own.language is not null order by id desc limit 1),
    assigned_to = (select (detail->>'assigned_to')::uuid from own
                    where kind = 'assign' order by id desc limit 1),
    note = (select detail->>'text' from said),
    note_at = (select at from said),
    note_name = (select person_name from said)
   where seller_id = new.seller_id and mode = new.mode and subscription_id = new.subscription_id;
  return null;
end
$$;
create trigger contact_state after insert or update on contact
  for each row execute function keep_collection_state();

-- Days after the billing date until an unpaid subscription ends: the API does not tell them. Null while
-- nobody has said it.
alter table seller add column grace_days integer check (grace_days between 0 and 90);

-- A seller's own words for reminders, by what stands and in both languages; without a row Duebook's are
-- used. One for every channel ('any'), or for one alone.
create table reminder_text (
  seller_id uuid not null references seller on delete cascade,
  kind text not null check (kind in ('soon', 'due', 'grace', 'waiting', 'failed')),
  language text not null check (language in ('en', 'ne')),
  channel text not null default 'any' check (channel in ('any', 'whatsapp', 'viber', 'sms', 'mail')),
  body text not null check (char_length(body) between 1 and 1000),
  updated_at timestamptz not null default now(),
  primary key (seller_id, kind, language, channel)
);

-- The queue is sorted by more than a date: with the amount in the index nobody reads the rows for it.
drop index mirror_subscription_status;
create index mirror_subscription_status
  on mirror_subscription (seller_id, mode, status, next_billing_cycle, id)
  include (price, currency, created_at);

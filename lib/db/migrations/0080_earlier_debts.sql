-- A settlement that is withdrawn gives way to the one before it, with what was paid of that: a debt that
-- was paid does not come back. By the settlement's id: payments seen and proven until the next one.
alter table collection_state add column debt_earlier jsonb not null default '{}';

create or replace function keep_collection_state() returns trigger language plpgsql as $$
declare
  settled_id bigint;
begin
  insert into collection_state (seller_id, mode, subscription_id)
  values (new.seller_id, new.mode, new.subscription_id)
  on conflict do nothing;
  -- Two colleagues at one buyer come one after the other: the next statement sees what both wrote.
  perform 1 from collection_state
    where seller_id = new.seller_id and mode = new.mode and subscription_id = new.subscription_id
      for update;
  select id into settled_id from contact
   where seller_id = new.seller_id and mode = new.mode and subscription_id = new.subscription_id
     and undone_at is null and kind = 'courtesy' and detail ? 'owed'
   order by id desc limit 1;
  with own as (
    select * from contact
     where seller_id = new.seller_id and mode = new.mode
       and subscription_id = new.subscription_id and undone_at is null
  ), latest as (select cycle from own order by id desc limit 1),
  about as (select own.* from own, latest where own.cycle is not distinct from latest.cycle),
  reached as (
    select * from own where kind = 'reminder' or channel = 'call' order by id desc limit 1),
  said as (select * from own where kind = 'note' order by id desc limit 1),
  settled as (
    select id, detail, detail->>'owed' = 'kept' as is_kept from own where id = settled_id)
  update collection_state set
    cycle = (select cycle from latest),
    promised_for = (select (detail->>'promised_for')::date from about
                     where kind = 'promise' order by id desc limit 1),
    snoozed_until = (select (detail->>'snoozed_until')::date from about
                      where kind = 'snooze' order by id desc limit 1),
    reminders = (select count(*) from about where kind = 'reminder'),
    last_contact_id = (select id from reached),
    last_contact_at = (select coalesce(clock_at, at) from reached),
    last_contact_by = (select person_id from reached),
    last_contact_name = (select person_name from reached),
    last_channel = (select channel from reached),
    language = (select own.language from own where own.language is not null order by id desc limit 1),
    assigned_to = (select (detail->>'assigned_to')::uuid from own
                    where kind = 'assign' order by id desc limit 1),
    note = (select detail->>'text' from said),
    note_at = (select coalesce(clock_at, at) from said),
    note_name = (select person_name from said),
    debt_id = settled_id,
    debt_amount = (select (detail->>'amount')::numeric from settled where is_kept),
    debt_currency = (select detail->>'currency' from settled where is_kept),
    debt_since = (select (detail->>'since')::date from settled where is_kept),
    debt_payments = (select (detail->>'payments')::integer from settled where is_kept),
    debt_cycle = (select (detail->>'cycle')::timestamptz from settled where is_kept),
    debt_start = (select (detail->>'start')::timestamptz from settled where is_kept),
    debt_seen = case when settled_id = debt_id then debt_seen when settled_id < debt_id
      then debt_seen + coalesce((debt_earlier #>> array[settled_id::text, 'seen'])::integer, 0)
      else 0 end,
    debt_proven = case when settled_id = debt_id then debt_proven when settled_id < debt_id
      then debt_proven + coalesce((debt_earlier #>> array[settled_id::text, 'proven'])::integer, 0)
      else 0 end,
    debt_earlier = case when settled_id > debt_id then debt_earlier || jsonb_build_object(
        debt_id::text, jsonb_build_object('seen', debt_seen, 'proven', debt_proven))
      when settled_id < debt_id then debt_earlier - settled_id::text
      else debt_earlier end,
    debt_waived = exists (select 1 from own, settled where own.kind = 'waive' and own.id > settled.id)
   where seller_id = new.seller_id and mode = new.mode and subscription_id = new.subscription_id;
  return null;
end
$$;

-- Failed checkouts are few among all deliveries, and the desk asks for them at each look.
create index received_delivery_failed
  on received_delivery (seller_id, mode, subscription_id, id) where event = 'checkout.failed';

-- What the desk's clock showed: a sandbox's can be ahead. Null where it was the real time.
alter table contact add column clock_at timestamptz;

create or replace function keep_collection_state() returns trigger language plpgsql as $$
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
    last_contact_at = (select coalesce(clock_at, at) from reached),
    last_contact_by = (select person_id from reached),
    last_contact_name = (select person_name from reached),
    last_channel = (select channel from reached),
    language = (select own.language from own where own.language is not null order by id desc limit 1),
    assigned_to = (select (detail->>'assigned_to')::uuid from own
                    where kind = 'assign' order by id desc limit 1),
    note = (select detail->>'text' from said),
    note_at = (select coalesce(clock_at, at) from said),
    note_name = (select person_name from said)
   where seller_id = new.seller_id and mode = new.mode and subscription_id = new.subscription_id;
  return null;
end
$$;

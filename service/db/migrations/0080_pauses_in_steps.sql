-- Pausing a webhook endpoint skipped all its pending deliveries in one statement, which was longer than
-- a statement may take where an endpoint had hundreds of thousands, so it could not be paused. Now it
-- skips the first ones, and the sweep the others.

-- Pending deliveries up to this one are still to be skipped, although the endpoint is active again.
alter table webhook add column skip_through bigint;
create index webhook_to_skip on webhook (id) where skip_through is not null;

-- Finds the few that people resent among all that a paused endpoint still has.
create index delivery_by_hand on delivery (webhook_id, next_at, delivery_id)
  where state = 'pending' and by_hand;

-- Skips the next 1,000 and answers how many. Those that are locked are left for the next sweep.
create function skip_some_deliveries(of_seller bigint, of_webhook bigint) returns integer language plpgsql as $$
declare
  skipped integer;
  last bigint;
begin
  -- Locked, so that what is queued after it is switched on again is not skipped.
  select case when is_active then coalesce(skip_through, 0) else 9223372036854775807 end into last
  from webhook where seller_id = of_seller and id = of_webhook for no key update;
  with chosen as (
    select delivery_id from delivery
    where seller_id = of_seller and webhook_id = of_webhook and state = 'pending' and not by_hand
      and delivery_id <= last
    order by next_at, delivery_id limit 1000 for no key update skip locked
  )
  update delivery d set state = 'skipped' from chosen c
  where d.seller_id = of_seller and d.delivery_id = c.delivery_id;
  get diagnostics skipped = row_count;
  if skipped < 1000 then
    update webhook set skip_through = null
    where seller_id = of_seller and id = of_webhook and skip_through is not null and not exists (
      select from delivery where seller_id = of_seller and webhook_id = of_webhook and state = 'pending'
        and not by_hand and delivery_id <= last);
  end if;
  return skipped;
end $$;

create or replace function skip_deliveries() returns trigger language plpgsql as $$
begin
  perform skip_some_deliveries(new.seller_id, new.id);
  return null;
end $$;

create function keep_skipping() returns trigger language plpgsql as $$
begin
  new.skip_through := null;
  if exists (select from delivery
    where seller_id = new.seller_id and webhook_id = new.id and state = 'pending' and not by_hand)
  then
    select max(delivery_id) into new.skip_through from delivery where seller_id = new.seller_id;
  end if;
  return new;
end $$;
create trigger keep_skipping before update of is_active on webhook
  for each row when (new.is_active and not old.is_active)
  execute function keep_skipping();

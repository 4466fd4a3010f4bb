-- What the copy saw change of a subscription. The API tells no history: how something stood at a past
-- moment is what the first change after it found, else how it stands now. Before the copy was full
-- nothing is known.

-- Copies that were full before changes were kept know none of before this.
alter table mirror add column history_from timestamptz not null default '-infinity';
update mirror set history_from = now() where filled_at is not null;

alter table mirror_subscription
  add column first_seen_at timestamptz not null default clock_timestamp();

-- What counts as a payment (ADR 0173): the API has no payments. The first one takes a record out of
-- pending_checkout, and nothing else does.
create function is_first_payment(old_status text, new_status text) returns boolean
  language sql immutable parallel safe
  return old_status = 'pending_checkout' and new_status in ('active', 'due', 'pending_cancellation');

-- A later one moves the period's start on. Moving the billing date by hand does not, and moves `due` to
-- `active` as well: where a service gives no start, that alone has to do.
create function is_renewal_payment(
  old_status text, new_status text, old_start timestamptz, new_start timestamptz
) returns boolean
  language sql immutable parallel safe
  return old_status <> 'pending_checkout'
    and coalesce(
      new_start > old_start,
      old_start is null and old_status = 'due' and new_status = 'active'
    );

create function is_subscribed(status text) returns boolean
  language sql immutable parallel safe
  return status in ('active', 'due', 'pending_cancellation');

-- How often something bills that has these days: whole months where they are the same day, or clamped
-- to a month's end, else days. Null for what is no period.
create function interval_between(first_day date, last_day date) returns text
  language plpgsql immutable strict parallel safe as $$
declare
  months integer := round((last_day - first_day) / 30.436875);
begin
  if last_day <= first_day then return null; end if;
  if months > 0 and (first_day + make_interval(months => months) = last_day
                     or last_day - make_interval(months => months) = first_day)
  then return 'month:' || months; end if;
  return 'day:' || (last_day - first_day);
end
$$;

-- Append-only. Like the copied rows it has no foreign key, and goes with them.
create table mirror_change (
  seller_id uuid not null,
  mode text not null,
  subscription_id text collate "C" not null,
  -- In the order in which they were written.
  id bigint generated always as identity,
  -- The database's clock; what happened did so between the look before and this one.
  seen_at timestamptz not null default clock_timestamp(),
  -- Since when there is such a record, as far as is known: before that it stands nowhere.
  born_at timestamptz not null,
  old_status text not null,
  new_status text not null,
  old_period_start timestamptz,
  new_period_start timestamptz,
  old_next_billing timestamptz,
  new_next_billing timestamptz,
  old_price numeric,
  new_price numeric,
  old_currency text not null,
  new_currency text not null,
  old_pbp_id text not null,
  new_pbp_id text not null,
  is_first_payment boolean not null
    generated always as (is_first_payment(old_status, new_status)) stored,
  is_renewal boolean not null generated always as
    (is_renewal_payment(old_status, new_status, old_period_start, new_period_start)) stored,
  is_lost boolean not null generated always as
    (is_subscribed(old_status) and new_status in ('cancelled', 'inactive')) stored,
  is_resumed boolean not null generated always as
    (old_status = 'pending_cancellation' and new_status = 'active') stored,
  primary key (seller_id, mode, subscription_id, id)
);
create index mirror_change_seen on mirror_change (seller_id, mode, seen_at);

-- Once a statement, whatever wrote the rows: the fill, a look, a hint, an answer that passed.
-- A plan is kept for a connection's life: one made for a single row would compare each with each.
create function note_mirror_changes() returns trigger language plpgsql
  set enable_nestloop = off as $$
begin
  insert into mirror_change
    (seller_id, mode, subscription_id, born_at, old_status, new_status, old_period_start, new_period_start,
     old_next_billing, new_next_billing, old_price, new_price, old_currency, new_currency,
     old_pbp_id, new_pbp_id)
  select n.seller_id, n.mode, n.id, least(n.created_at, n.first_seen_at), o.status, n.status,
         o.current_period_start, n.current_period_start,
         o.next_billing_cycle, n.next_billing_cycle, o.price, n.price, o.currency, n.currency,
         o.pbp_id, n.pbp_id
    from old_row o join new_row n using (seller_id, mode, id)
   where (o.status, o.current_period_start, o.next_billing_cycle, o.price, o.currency, o.pbp_id)
         is distinct from
         (n.status, n.current_period_start, n.next_billing_cycle, n.price, n.currency, n.pbp_id);
  return null;
end
$$;
create trigger mirror_subscription_changes after update on mirror_subscription
  referencing old table as old_row new table as new_row
  for each statement execute function note_mirror_changes();

-- What the API does not know any more is in no figure, also in none of the past.
create function forget_mirror_changes() returns trigger language plpgsql as $$
begin
  delete from mirror_change c using gone
   where c.seller_id = gone.seller_id and c.mode = gone.mode and c.subscription_id = gone.id;
  return null;
end
$$;
create trigger mirror_subscription_gone after delete on mirror_subscription
  referencing old table as gone
  for each statement execute function forget_mirror_changes();

-- The changes first, so that the trigger above finds none of them.
create or replace function clear_mirror(owner uuid, its_mode text) returns void language sql as $$
  delete from mirror_change where seller_id = owner and mode = its_mode;
  delete from mirror_round where seller_id = owner and mode = its_mode;
  delete from mirror_hint where seller_id = owner and mode = its_mode;
  delete from mirror_subscription where seller_id = owner and mode = its_mode;
  delete from mirror_customer where seller_id = owner and mode = its_mode;
  delete from mirror_product where seller_id = owner and mode = its_mode;
$$;

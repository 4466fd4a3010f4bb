-- What figures read of a copied subscription. The row itself is ten times as wide, and a look through
-- everything leaves its pages half empty; this one is written by triggers alone, and only when something
-- in it changes. What is of one width comes first.
create table mirror_counted (
  seller_id uuid not null,
  first_seen_at timestamptz not null,
  created_at timestamptz,
  current_period_start timestamptz,
  current_period_end timestamptz,
  next_billing_cycle timestamptz,
  mode text not null,
  status text not null,
  pbp_id text not null,
  price numeric,
  currency text not null,
  id text collate "C" not null,
  product_id text not null,
  product_name text collate "C" not null,
  plan_name text collate "C" not null,
  primary key (seller_id, mode, id)
);

create function count_mirror_arrivals() returns trigger language plpgsql as $$
begin
  insert into mirror_counted
    (seller_id, mode, id, status, price, currency, pbp_id, product_id, product_name, plan_name,
     current_period_start, current_period_end, next_billing_cycle, created_at, first_seen_at)
  select seller_id, mode, id, status, price, currency, pbp_id, product_id, product_name, plan_name,
         current_period_start, current_period_end, next_billing_cycle, created_at, first_seen_at
    from arrived;
  return null;
end
$$;
-- Holds writers back until this migration is through, so that none of them is passed over below.
create trigger mirror_subscription_counted after insert on mirror_subscription
  referencing new table as arrived
  for each statement execute function count_mirror_arrivals();

-- As before, and what is counted beside it: both out of one comparison.
create or replace function note_mirror_changes() returns trigger language plpgsql
  set enable_nestloop = off as $$
begin
  with changed as materialized (
    select n.*, o.status as old_status, o.current_period_start as old_start,
           o.next_billing_cycle as old_next, o.price as old_price, o.currency as old_currency,
           o.pbp_id as old_pbp_id
      from old_row o join new_row n using (seller_id, mode, id)
     where (o.status, o.current_period_start, o.next_billing_cycle, o.price, o.currency, o.pbp_id,
            o.product_id, o.product_name, o.plan_name, o.current_period_end, o.created_at, o.first_seen_at)
           is distinct from
           (n.status, n.current_period_start, n.next_billing_cycle, n.price, n.currency, n.pbp_id,
            n.product_id, n.product_name, n.plan_name, n.current_period_end, n.created_at, n.first_seen_at)),
  noted as (
    insert into mirror_change
      (seller_id, mode, subscription_id, born_at, old_status, new_status, old_period_start,
       new_period_start, old_next_billing, new_next_billing, old_price, new_price, old_currency,
       new_currency, old_pbp_id, new_pbp_id)
    select seller_id, mode, id, least(created_at, first_seen_at), old_status, status, old_start,
           current_period_start, old_next, next_billing_cycle, old_price, price, old_currency,
           currency, old_pbp_id, pbp_id
      from changed
     where (old_status, old_start, old_next, old_price, old_currency, old_pbp_id)
           is distinct from
           (status, current_period_start, next_billing_cycle, price, currency, pbp_id))
  insert into mirror_counted as c
    (seller_id, mode, id, status, price, currency, pbp_id, product_id, product_name, plan_name,
     current_period_start, current_period_end, next_billing_cycle, created_at, first_seen_at)
  select seller_id, mode, id, status, price, currency, pbp_id, product_id, product_name, plan_name,
         current_period_start, current_period_end, next_billing_cycle, created_at, first_seen_at
    from changed
  on conflict (seller_id, mode, id) do update set
    status = excluded.status, price = excluded.price, currency = excluded.currency,
    pbp_id = excluded.pbp_id, product_id = excluded.product_id, product_name = excluded.product_name,
    plan_name = excluded.plan_name, current_period_start = excluded.current_period_start,
    current_period_end = excluded.current_period_end, next_billing_cycle = excluded.next_billing_cycle,
    created_at = excluded.created_at, first_seen_at = excluded.first_seen_at;
  return null;
end
$$;

create or replace function forget_mirror_changes() returns trigger language plpgsql as $$
begin
  delete from mirror_change c using gone
   where c.seller_id = gone.seller_id and c.mode = gone.mode and c.subscription_id = gone.id;
  delete from mirror_counted c using gone
   where c.seller_id = gone.seller_id and c.mode = gone.mode and c.id = gone.id;
  return null;
end
$$;

-- What the trigger above would take along goes first.
create or replace function clear_mirror(owner uuid, its_mode text) returns void language sql as $$
  delete from mirror_change where seller_id = owner and mode = its_mode;
  delete from mirror_counted where seller_id = owner and mode = its_mode;
  delete from mirror_round where seller_id = owner and mode = its_mode;
  delete from mirror_hint where seller_id = owner and mode = its_mode;
  delete from mirror_subscription where seller_id = owner and mode = its_mode;
  delete from mirror_customer where seller_id = owner and mode = its_mode;
  delete from mirror_product where seller_id = owner and mode = its_mode;
$$;

insert into mirror_counted
  (seller_id, mode, id, status, price, currency, pbp_id, product_id, product_name, plan_name,
   current_period_start, current_period_end, next_billing_cycle, created_at, first_seen_at)
select seller_id, mode, id, status, price, currency, pbp_id, product_id, product_name, plan_name,
       current_period_start, current_period_end, next_billing_cycle, created_at, first_seen_at
  from mirror_subscription;

-- What a list needs is kept as rows change: no request counts a seller's rows or skips over them.

drop trigger tally_inserted on subscription;
drop trigger tally_updated on subscription;
drop function tally_subscriptions();
drop table subscription_tally;

-- How many subscriptions of a status lie in each block of positions. Three sizes of block make a
-- tree: all (size 0), 16,384 positions, 128 positions; a page of a status is found by descending.
create table subscription_tally (
  seller_id bigint not null references seller,
  size integer not null check (size in (0, 128, 16384)),
  status text not null,
  block bigint not null,
  is_one_time boolean not null,
  rows integer not null,
  primary key (seller_id, size, status, block, is_one_time)
) with (fillfactor = 60);

create table product_tally (
  product_id uuid primary key references product,
  subscribers integer not null
) with (fillfactor = 60);

-- Recurring, and active, due or running until the period's end.
create function is_subscriber(status text, is_one_time boolean) returns boolean
  language sql immutable
  return not is_one_time and status in ('active', 'due', 'pending_cancellation');

-- Each statement locks its tallies in one order, so that two which move rows opposite ways do not
-- wait for each other.
create function tally_inserted() returns trigger language plpgsql as $$
begin
  insert into subscription_tally as t (seller_id, size, status, block, is_one_time, rows)
  select n.seller_id, b.size, n.status, b.block, n.is_one_time, count(*)
  from new_rows n
  cross join lateral (
    values (0, 0::bigint), (16384, n.position / 16384), (128, n.position / 128)
  ) as b (size, block)
  group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (seller_id, size, status, block, is_one_time)
    do update set rows = t.rows + excluded.rows;

  insert into product_tally as t (product_id, subscribers)
  select n.product_id, count(*) from new_rows n where is_subscriber(n.status, n.is_one_time)
  group by 1 order by 1
  on conflict (product_id) do update set subscribers = t.subscribers + excluded.subscribers;
  return null;
end $$;

create function tally_updated() returns trigger language plpgsql as $$
begin
  insert into subscription_tally as t (seller_id, size, status, block, is_one_time, rows)
  select n.seller_id, b.size, v.status, b.block, v.is_one_time, sum(v.change)
  from new_rows n join old_rows o using (subscription_id)
  cross join lateral (
    values (n.status, n.is_one_time, 1), (o.status, o.is_one_time, -1)
  ) as v (status, is_one_time, change)
  cross join lateral (
    values (0, 0::bigint), (16384, n.position / 16384), (128, n.position / 128)
  ) as b (size, block)
  where (n.status, n.is_one_time) <> (o.status, o.is_one_time)
  group by 1, 2, 3, 4, 5 having sum(v.change) <> 0 order by 1, 2, 3, 4, 5
  on conflict (seller_id, size, status, block, is_one_time)
    do update set rows = t.rows + excluded.rows;

  insert into product_tally as t (product_id, subscribers)
  select n.product_id,
    sum(is_subscriber(n.status, n.is_one_time)::int - is_subscriber(o.status, o.is_one_time)::int)
  from new_rows n join old_rows o using (subscription_id)
  where is_subscriber(n.status, n.is_one_time) <> is_subscriber(o.status, o.is_one_time)
  group by 1 order by 1
  on conflict (product_id) do update set subscribers = t.subscribers + excluded.subscribers;
  return null;
end $$;

create trigger tally_inserted after insert on subscription
  referencing new table as new_rows
  for each statement execute function tally_inserted();
create trigger tally_updated after update on subscription
  referencing old table as old_rows new table as new_rows
  for each statement execute function tally_updated();

insert into subscription_tally (seller_id, size, status, block, is_one_time, rows)
select s.seller_id, b.size, s.status, b.block, s.is_one_time, count(*)
from subscription s
cross join lateral (
  values (0, 0::bigint), (16384, s.position / 16384), (128, s.position / 128)
) as b (size, block)
group by 1, 2, 3, 4, 5;
insert into product_tally (product_id, subscribers)
select product_id, count(*) from subscription where is_subscriber(status, is_one_time)
group by 1;

-- The count that the tally replaces had this index.
drop index subscription_product_id_idx;

-- Customers get positions without gaps too: 1, 2, 3 … within a seller, in the order they came.
alter table seller add column last_customer_position bigint not null default 0;
alter table customer add column position bigint;
update customer c set position = n.position
from (
  select id, row_number() over (partition by seller_id order by created_at, id) as position
  from customer
) n where n.id = c.id;
update seller s set last_customer_position =
  (select count(*) from customer c where c.seller_id = s.seller_id);
alter table customer add unique (seller_id, position);

-- After the insert, so that a buyer who is known already (on conflict) takes no position.
create function place_customers() returns trigger language plpgsql as $$
begin
  update seller s set last_customer_position = s.last_customer_position + n.rows
  from (
    select seller_id, count(*) as rows from new_rows where position is null
    group by 1 order by 1
  ) n where s.seller_id = n.seller_id;
  update customer c set position = s.last_customer_position - n.newer
  from (
    select id, seller_id,
      row_number() over (partition by seller_id order by created_at desc, id desc) - 1 as newer
    from new_rows where position is null
  ) n join seller s using (seller_id) where c.id = n.id;
  return null;
end $$;
create trigger place_customers after insert on customer
  referencing new table as new_rows
  for each statement execute function place_customers();

-- Time moves what runs: exactly those have a billing date. The lifecycle finds them by it.
alter table subscription add check (
  (next_billing_cycle is not null) =
  (not is_one_time and status in ('active', 'due', 'pending_cancellation')));
create index subscription_by_billing_date on subscription (seller_id, status, next_billing_cycle)
  where next_billing_cycle is not null;

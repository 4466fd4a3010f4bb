-- ADR 0192. The tables of sellers that did not name theirs. Programs of the version before insert
-- without it, so triggers look it up.
alter table message_report add column seller_id bigint;
alter table payment_notice add column seller_id bigint;
alter table handed_reminder add column seller_id bigint;
alter table product_tally add column seller_id bigint;
update message_report r set seller_id = c.seller_id from message_channel c where c.channel_id = r.channel_id;
update payment_notice n set seller_id = a.seller_id from payment_account a where a.account_id = n.account_id;
update handed_reminder h set seller_id = m.seller_id from message m where m.message_id = h.message_id;
update product_tally t set seller_id = p.seller_id from product p where p.product_id = t.product_id;

create function seller_of_report() returns trigger language plpgsql as $$
begin
  new.seller_id := (select seller_id from message_channel where channel_id = new.channel_id);
  return new;
end $$;
create function seller_of_notice() returns trigger language plpgsql as $$
begin
  new.seller_id := (select seller_id from payment_account where account_id = new.account_id);
  return new;
end $$;
create function seller_of_handed() returns trigger language plpgsql as $$
begin
  new.seller_id := (select seller_id from message where message_id = new.message_id);
  return new;
end $$;
create trigger seller_of_row before insert on message_report
  for each row when (new.seller_id is null) execute function seller_of_report();
create trigger seller_of_row before insert on payment_notice
  for each row when (new.seller_id is null) execute function seller_of_notice();
create trigger seller_of_row before insert on handed_reminder
  for each row when (new.seller_id is null) execute function seller_of_handed();

alter table message_report alter column seller_id set not null;
alter table payment_notice alter column seller_id set not null;
alter table handed_reminder alter column seller_id set not null;
-- Only functions write it.
alter table product_tally drop constraint product_tally_pkey, add primary key (seller_id, product_id);

create or replace function tally_inserted() returns trigger language plpgsql as $$
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

  insert into product_tally as t (seller_id, product_id, subscribers)
  select n.seller_id, n.product_id, count(*) from new_rows n
  where is_subscriber(n.status, n.is_one_time)
  group by 1, 2 order by 1, 2
  on conflict (seller_id, product_id) do update set subscribers = t.subscribers + excluded.subscribers;
  return null;
end $$;

create or replace function tally_updated() returns trigger language plpgsql as $$
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

  insert into product_tally as t (seller_id, product_id, subscribers)
  select n.seller_id, n.product_id,
    sum(is_subscriber(n.status, n.is_one_time)::int - is_subscriber(o.status, o.is_one_time)::int)
  from new_rows n join old_rows o using (subscription_id)
  where is_subscriber(n.status, n.is_one_time) <> is_subscriber(o.status, o.is_one_time)
  group by 1, 2 order by 1, 2
  on conflict (seller_id, product_id) do update set subscribers = t.subscribers + excluded.subscribers;
  return null;
end $$;

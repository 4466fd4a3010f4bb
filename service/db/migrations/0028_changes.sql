-- ADR 0230. The feed of changes: one row per record that a transaction created, changed or removed.
create table record_change (
  -- Without a foreign key: only triggers of tables that have one write here.
  seller_id bigint not null,
  -- Which transaction; readers compare it with a snapshot, because transactions commit in any order.
  transaction xid8 not null default pg_current_xact_id(),
  sequence bigint generated always as identity,
  kind text not null check (kind in ('subscription', 'customer', 'product', 'payment')),
  id text not null,
  is_new boolean not null default false,
  -- Real time, also where a sandbox clock is ahead.
  recorded_at timestamptz not null default clock_timestamp(),
  primary key (seller_id, transaction, sequence)
);
create index record_change_by_time on record_change (recorded_at);

-- Which table this is: another one after a restored dump, another timeline after a restored backup.
-- What was read from one cannot be continued in another.
create function feed_origin() returns text language sql stable
  return md5(concat_ws(' ',
    (select system_identifier from pg_control_system()),
    (select timeline_id from pg_control_checkpoint()),
    (select oid from pg_database where datname = current_database()),
    'record_change'::regclass::oid));

create function record_subscription_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into record_change (seller_id, kind, id, is_new)
    select seller_id, 'subscription', subscription_id, true from new_rows;
    insert into record_change (seller_id, kind, id)
    select distinct seller_id, 'product', product_id from new_rows
    where is_subscriber(status, is_one_time);
  elsif tg_op = 'UPDATE' then
    -- Only what the API shows; a product shows how many subscribers it has.
    insert into record_change (seller_id, kind, id)
    select n.seller_id, 'subscription', n.subscription_id
    from new_rows n join old_rows o using (subscription_id)
    where (n.status, n.current_period_start, n.next_billing_cycle, n.pbp_id, n.plan_id,
        n.product_id, n.phone, n.full_name, n.email, n.address, n.billing, n.shipping, n.created_at)
      is distinct from (o.status, o.current_period_start, o.next_billing_cycle, o.pbp_id, o.plan_id,
        o.product_id, o.phone, o.full_name, o.email, o.address, o.billing, o.shipping, o.created_at)
    union all
    (select distinct n.seller_id, 'product', n.product_id
     from new_rows n join old_rows o using (subscription_id)
     where is_subscriber(n.status, n.is_one_time) <> is_subscriber(o.status, o.is_one_time));
  else
    insert into record_change (seller_id, kind, id)
    select seller_id, 'subscription', subscription_id from old_rows;
  end if;
  return null;
end $$;

create function record_customer_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into record_change (seller_id, kind, id, is_new)
    select seller_id, 'customer', id, true from new_rows;
  elsif tg_op = 'UPDATE' then
    insert into record_change (seller_id, kind, id)
    select n.seller_id, 'customer', n.id from new_rows n join old_rows o using (id)
    where (n.buyer_phone, n.buyer_email, n.full_name, n.created_at)
      is distinct from (o.buyer_phone, o.buyer_email, o.full_name, o.created_at);
  else
    insert into record_change (seller_id, kind, id)
    select seller_id, 'customer', id from old_rows;
  end if;
  return null;
end $$;

-- Each change of a product, its plans, periods, offers or images gives the product a new version.
create function record_product_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into record_change (seller_id, kind, id, is_new)
    select seller_id, 'product', product_id, true from new_rows;
  elsif tg_op = 'UPDATE' then
    insert into record_change (seller_id, kind, id)
    select n.seller_id, 'product', n.product_id from new_rows n join old_rows o using (product_id)
    where n is distinct from o;
  else
    insert into record_change (seller_id, kind, id)
    select seller_id, 'product', product_id from old_rows;
  end if;
  return null;
end $$;

create function record_payment_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into record_change (seller_id, kind, id, is_new)
    select seller_id, 'payment', payment_id, true from new_rows;
  elsif tg_op = 'UPDATE' then
    insert into record_change (seller_id, kind, id)
    select n.seller_id, 'payment', n.payment_id from new_rows n join old_rows o using (payment_id)
    where n is distinct from o;
  else
    insert into record_change (seller_id, kind, id)
    select seller_id, 'payment', payment_id from old_rows;
  end if;
  return null;
end $$;

-- A transaction that replaces whole accounts turns the feed off for itself; see service/changes.
do $$
declare
  name text;
begin
  foreach name in array array['subscription', 'customer', 'product', 'payment'] loop
    execute format($sql$
      create trigger record_inserted after insert on %1$I referencing new table as new_rows
        for each statement when (current_setting('duebook.changes', true) is distinct from 'off')
        execute function record_%1$s_changes();
      create trigger record_updated after update on %1$I
        referencing old table as old_rows new table as new_rows
        for each statement when (current_setting('duebook.changes', true) is distinct from 'off')
        execute function record_%1$s_changes();
      create trigger record_deleted after delete on %1$I referencing old table as old_rows
        for each statement when (current_setting('duebook.changes', true) is distinct from 'off')
        execute function record_%1$s_changes();
    $sql$, name);
  end loop;
end $$;

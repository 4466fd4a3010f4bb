-- ADR 0192. Which seller an address leads to, for databases whose tables are distributed by seller:
-- subscriptions at the checkout, bills, shared links, reports of channels, returns from providers,
-- recipients, charges to which providers lead buyers back, and the sandbox's payment pages. Keys that are no UUID stand here as their MD5.
create table directory (
  id uuid primary key,
  seller_id bigint not null
);

-- The argument is the expression of the id.
create function keep_directory() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    execute format('delete from directory where id in (select %s from old_rows)', tg_argv[0]);
  end if;
  if tg_op <> 'DELETE' then
    execute format('insert into directory select %s, seller_id from new_rows', tg_argv[0]);
  end if;
  return null;
end $$;

do $$
declare one record;
begin
  for one in select * from (values
    ('subscription', 'subscription_id'), ('bill', 'code'), ('shared_link', 'md5(link_key)::uuid'),
    ('message_channel', 'report_key'), ('payment_account', 'account_key'),
    ('reminder_recipient', 'md5(key)::uuid'), ('sandbox_charge', 'reference'),
    ('charge', 'charge_id')) as of (name, id)
  loop
    execute format('create trigger listed after insert on %I referencing new table as new_rows
      for each statement execute function keep_directory(%L)', one.name, one.id);
    execute format('create trigger unlisted after delete on %I referencing old table as old_rows
      for each statement execute function keep_directory(%L)', one.name, one.id);
    execute format('insert into directory select %s, seller_id from %I', one.id, one.name);
  end loop;
end $$;

-- Of these keys only a link's is ever renewed.
create trigger listed_again after update on shared_link
  referencing old table as old_rows new table as new_rows
  for each statement execute function keep_directory('md5(link_key)::uuid');

-- What "on conflict" names. The indexes without the seller serve programs of the version before.
create unique index one_hold_of_all on reminder_hold (seller_id, subscription_id) where until is not null;
create unique index one_link_per_period on shared_link (seller_id, pbp_id);
create unique index one_charge_of_sandbox on sandbox_charge (seller_id, attempt_id);

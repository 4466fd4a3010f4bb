-- A service can tell what became of its subscriptions before the index saw them (ADR 0173): its changes take the
-- place of those that the index notes itself.
alter table mirror
  -- Since when the service tells every change; null while changes are noted as they are seen.
  add column told_since timestamptz,
  -- The last change that was read of its list, 0 before the first; null when nothing is left to read.
  add column history_after bigint;
update mirror set history_after = 0 where feed_cursor is not null;

create or replace function forget_feed() returns trigger language plpgsql as $$
begin
  new.feed_cursor := null;
  new.followed_from := null;
  new.payments_before := '';
  new.payments_read_at := null;
  new.told_since := null;
  new.history_after := null;
  return new;
end $$;

-- While changes are told, what is seen is told as well.
create function skip_seen_change() returns trigger language plpgsql as $$
begin
  if exists (select from mirror where seller_id = new.seller_id and mode = new.mode and told_since is not null)
  then return null; end if;
  return new;
end $$;
create trigger mirror_change_seen before insert on mirror_change
  for each row when (coalesce(current_setting('duebook.told', true), '') = '')
  execute function skip_seen_change();

-- What is told of the past is no news, and pays no debt that was written down since.
drop trigger mirror_change_told on mirror_change;
create trigger mirror_change_told after insert on mirror_change
  referencing new table as changed
  for each statement when (current_setting('duebook.told', true) is distinct from 'past')
  execute function tell_mirror_changes();
drop trigger mirror_change_pays on mirror_change;
create trigger mirror_change_pays after insert on mirror_change
  referencing new table as noted
  for each statement when (current_setting('duebook.told', true) is distinct from 'past')
  execute function pay_seen_debts();

-- Begins the history that the service tells, if it reaches back further than what the index saw; says whether it has
-- begun. Writers of the index lock its row first, so none notes a change after this.
create function take_told_history(owner uuid, its_mode text, since timestamptz) returns boolean
  language plpgsql as $$
begin
  update mirror set told_since = since
   where seller_id = owner and mode = its_mode and told_since is null
     and since < greatest(filled_at, history_from);
  if found then
    delete from mirror_sums where seller_id = owner and mode = its_mode;
    delete from mirror_change where seller_id = owner and mode = its_mode;
  end if;
  return exists (select from mirror
                  where seller_id = owner and mode = its_mode and told_since is not null);
end $$;

-- Ends it: the next cursor or what the index sees from now on begins another one.
create function forget_told_history(owner uuid, its_mode text) returns void language plpgsql as $$
begin
  update mirror set told_since = null, history_from = clock_timestamp()
   where seller_id = owner and mode = its_mode and told_since is not null;
  if not found then return; end if;
  delete from mirror_sums where seller_id = owner and mode = its_mode;
  delete from mirror_change where seller_id = owner and mode = its_mode;
end $$;

-- Keeps told changes of indexed subscriptions by the service's numbers, each once; one that is not indexed yet is
-- told again with its record.
create function keep_told_changes(owner uuid, its_mode text, told jsonb, is_news boolean) returns void
  language plpgsql as $$
declare
  its_ids text[];
  is_summed boolean;
  gone mirror_sum[] := '{}';
begin
  if not exists (select from mirror where seller_id = owner and mode = its_mode and told_since is not null)
  then return; end if;
  its_ids := array(
    select id from mirror_subscription where seller_id = owner and mode = its_mode
       and id = any (array(select t.subscription_id from jsonb_to_recordset(told) as t (subscription_id text)))
     order by id for update);
  is_summed := keeps_sums(owner, its_mode);
  if is_summed then
    gone := array(select s from sums_of_subscriptions(owner, its_mode, its_ids) s);
  end if;
  perform set_config('duebook.told', case when is_news then 'news' else 'past' end, true);
  insert into mirror_change
    (seller_id, mode, subscription_id, id, seen_at, born_at, old_status, new_status, old_period_start,
     new_period_start, old_next_billing, new_next_billing, old_price, new_price, old_currency,
     new_currency, old_pbp_id, new_pbp_id)
    overriding system value
  select owner, its_mode, s.id, t.id, t.seen_at, least(s.created_at, s.first_seen_at), t.old_status,
         t.new_status, t.old_period_start, t.new_period_start, t.old_next_billing, t.new_next_billing,
         t.old_price, t.new_price, t.old_currency, t.new_currency, t.old_pbp_id, t.new_pbp_id
    from jsonb_to_recordset(told) as t (id bigint, subscription_id text, seen_at timestamptz,
           old_status text, new_status text, old_period_start timestamptz, new_period_start timestamptz,
           old_next_billing timestamptz, new_next_billing timestamptz, old_price numeric,
           new_price numeric, old_currency text, new_currency text, old_pbp_id text, new_pbp_id text)
    join mirror_subscription s on s.seller_id = owner and s.mode = its_mode and s.id = t.subscription_id
  on conflict do nothing;
  perform set_config('duebook.told', '', true);
  if is_summed then perform add_sums(owner, its_mode, its_ids, gone); end if;
end $$;

create or replace view search_index as
  select seller_id, mode, copy as index_version, filled_at, read_at, history_from, error, wait_until,
         claimed_until, due_at, payments_read_at is not null as has_all_payments,
         coalesce(case when history_after is null then told_since end, greatest(filled_at, history_from))
           as known_since
    from mirror;

-- Programs empty an index in steps before they call this, which then finds few rows. A new version of it no longer
-- deletes its words at once. The sums first, then what says that there are some: whoever sums everything locks both
-- in this order.
create or replace function clear_mirror(owner uuid, its_mode text) returns void language sql as $$
  delete from mirror_sum where seller_id = owner and mode = its_mode;
  delete from mirror_sums where seller_id = owner and mode = its_mode;
  delete from mirror_change where seller_id = owner and mode = its_mode;
  delete from mirror_counted where seller_id = owner and mode = its_mode;
  delete from mirror_round where seller_id = owner and mode = its_mode;
  delete from mirror_hint where seller_id = owner and mode = its_mode;
  delete from mirror_subscription where seller_id = owner and mode = its_mode;
  delete from mirror_customer where seller_id = owner and mode = its_mode;
  delete from mirror_product where seller_id = owner and mode = its_mode;
  delete from mirror_unlisted_price where seller_id = owner and mode = its_mode;
  delete from mirror_word where seller_id = owner and mode = its_mode;
$$;
drop trigger mirror_words_with_copy on mirror;

-- Deletes rows of one table of the index, as many as given at most, locked in the order in which others lock them.
-- A row that is changed at the same moment stays.
create function delete_mirror_rows(
  source regclass, row_order text, owner uuid, its_mode text, most integer
) returns integer language plpgsql as $$
declare
  deleted integer;
begin
  execute format(
    'delete from %1$s where seller_id = $1 and mode = $2 and ctid = any (array(
       select ctid from %1$s where seller_id = $1 and mode = $2 order by %2$s limit $3 for update))',
    source, row_order) using owner, its_mode, most;
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

-- Begins to empty an index: it counts as filling, and its sync job waits for the claim that this returns. The steps
-- after it hold no lock of the index's own row, which webhooks wait for.
create function begin_emptying_mirror(owner uuid, its_mode text) returns uuid language plpgsql as $$
declare
  its_claim uuid;
begin
  update mirror
     set copy = gen_random_uuid(), filled_at = null, read_at = null, newest = '{}', round_wanted_at = null,
         due_at = now(), claim = gen_random_uuid(), claimed_until = clock_timestamp() + interval '60 seconds'
   where seller_id = owner and mode = its_mode returning claim into its_claim;
  delete from mirror_sums where seller_id = owner and mode = its_mode;
  delete from mirror_sum where seller_id = owner and mode = its_mode;
  delete from mirror_round where seller_id = owner and mode = its_mode;
  return its_claim;
end
$$;
create function go_on_emptying_mirror(owner uuid, its_mode text, its_claim uuid) returns void language sql as $$
  update mirror set claimed_until = clock_timestamp() + interval '60 seconds'
   where seller_id = owner and mode = its_mode and claim = its_claim;
$$;

-- A step; fewer than half of the most means that nearly nothing is left.
create function empty_mirror_rows(owner uuid, its_mode text, most integer) returns integer language plpgsql as $$
declare
  one record;
  deleted integer := 0;
begin
  for one in
    select * from (values ('mirror_sum', 'kind, day'), ('mirror_change', 'subscription_id, id'),
      ('mirror_counted', 'id'), ('mirror_subscription', 'id'), ('mirror_customer', 'id'), ('mirror_product', 'id'),
      ('mirror_unlisted_price', 'id'), ('mirror_word', 'word')) as t (source, row_order)
  loop
    deleted := deleted
      + delete_mirror_rows(one.source::regclass, one.row_order, owner, its_mode, most - deleted);
    exit when 2 * deleted >= most;
  end loop;
  return deleted;
end
$$;

-- Whether a history of more changes than given ends, if told until now, or gives way to one since a moment. Until
-- the next one was read, nothing before now counts as known.
create function leave_long_history(owner uuid, its_mode text, since timestamptz, most integer) returns boolean
  language plpgsql as $$
begin
  update mirror set history_from = clock_timestamp(), history_after = coalesce(history_after, 0)
   where seller_id = owner and mode = its_mode
     and case when since is null then told_since is not null
              else told_since is null and since < greatest(filled_at, history_from) end
     and exists (select from mirror_change where seller_id = owner and mode = its_mode offset most);
  if not found then return false; end if;
  delete from mirror_sums where seller_id = owner and mode = its_mode;
  delete from mirror_sum where seller_id = owner and mode = its_mode;
  return true;
end
$$;

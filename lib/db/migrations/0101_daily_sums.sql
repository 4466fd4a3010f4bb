-- What reports count, summed by the seller's days in the transaction that writes what is counted: a report over
-- a million subscriptions reads these rows alone. The zone's offsets are stored by the dashboard, because
-- PostgreSQL may know other ones; in another zone every day is another one, and all is summed again.
create table mirror_sums (
  seller_id uuid not null,
  mode text not null,
  time_zone text not null,
  -- The offsets from UTC in seconds, and the moments from which the second and each later one holds.
  offsets integer[] not null,
  offset_from timestamptz[] not null,
  -- Sums of changes are kept from the moment this row is there, sums of all that was before only once it is ready.
  is_ready boolean not null default false,
  primary key (seller_id, mode),
  foreign key (seller_id, mode) references mirror on delete cascade
);

-- Writers only add rows, so none waits for another; the sync job sums them up (is_folded). No row stands
-- alone: every figure is a sum of n, amount, fee or net over the rows of a kind.
--
-- kind     day                 until               n
-- level    a state began/ended                     subscriptions in that state, as a difference
-- current  next billing        period's start      subscriptions by their present state
-- span     period's end        period's start      subscriptions, to guess how often a plan bills
-- created  creation                                subscriptions by their present status, open checkouts by
--                                                  their price too
-- begun, lost, cancelled, inactive, resumed, paid_when_due, saved
--          the event           the next such event of the same subscription
-- moved    the event                               billing dates moved without a payment
-- in_time, late, unpaid
--          the billing date                        billing dates by what became of them
-- cohort   month of the start                      subscriptions
-- left     month of the start                      of these, those that are subscribed now
-- step     month of the start  month of the change how many more were subscribed before
-- paid     the payment         the next payment of the same subscription
--          payments; status tells those with an amount (priced) from the others (unpriced)
create table mirror_sum (
  seller_id uuid not null,
  mode text not null,
  kind text not null,
  day date not null,
  until date not null,
  status text,
  currency text,
  pbp_id text,
  price numeric,
  -- Of the subscription as it is now; a payment may be of one that is not indexed.
  product_id text,
  product_name text,
  plan_name text,
  last_pbp_id text,
  is_marked boolean,
  n bigint not null,
  amount numeric,
  fee numeric,
  net numeric,
  is_folded boolean not null default false
);
create index mirror_sum_days on mirror_sum (seller_id, mode, kind, day);
create index mirror_sum_status on mirror_sum (seller_id, mode, kind, status, day)
  where kind in ('current', 'created');
create index mirror_sum_unfolded on mirror_sum (seller_id, mode) where not is_folded;

create view daily_sum as
  select seller_id, mode, kind, day, until, status, currency, pbp_id, price, product_id, product_name,
         plan_name, last_pbp_id, is_marked, n, amount, fee, net
    from mirror_sum;

create function day_by_offsets(moment timestamptz, offsets integer[], offset_from timestamptz[]) returns date
  language sql immutable parallel safe
  return (moment at time zone 'UTC'
          + offsets[width_bucket(moment, offset_from) + 1] * interval '1 second')::date;

-- What these subscriptions add to the sums; their payments apart, because a payment is not always of an indexed one.
-- Every table is read along its index by id, for one subscription and for all of them, whatever is known of the
-- tables' sizes: hence the subqueries that cannot be joined in another way, in the order of the index that they
-- shall read.
create function sums_of_subscriptions(owner uuid, its_mode text, its_ids text[]) returns setof mirror_sum
  language sql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off
  set enable_sort = off as $$
  with zone as materialized (
    select offsets, offset_from from mirror_sums where seller_id = owner and mode = its_mode
  ), own as materialized (
    select c.*, array[c.product_id, c.product_name, c.plan_name, c.pbp_id, is_one_time(c.status,
             c.current_period_start, c.current_period_end, c.next_billing_cycle, null)::text] as plan,
           day_by_offsets(least(c.created_at, c.first_seen_at), z.offsets, z.offset_from) as born_day,
           case when c.status <> 'pending_checkout' then date_trunc('month', day_by_offsets(coalesce(
             (select min(seen_at) from (
               select seen_at, is_first_payment from mirror_change p
                where p.seller_id = owner and p.mode = its_mode and p.subscription_id = c.id
                order by p.id offset 0) as known where is_first_payment),
             c.created_at, c.first_seen_at), z.offsets, z.offset_from))::date end as start_month
      from zone z, unnest(its_ids) as i (id) cross join lateral (
        select * from mirror_counted
         where seller_id = owner and mode = its_mode and id = i.id limit 1) as c
  ), change as materialized (
    select c.*, own.plan, own.start_month, day_by_offsets(c.seen_at, z.offsets, z.offset_from) as seen_day
      from zone z, own cross join lateral (
        select * from mirror_change
         where seller_id = owner and mode = its_mode and subscription_id = own.id
         order by id offset 0) as c
  ), level_change as materialized (
    select c.plan, c.seen_day, day_by_offsets(c.born_at, z.offsets, z.offset_from) as born_day,
           c.old_status, c.old_currency, c.old_pbp_id, c.old_price, c.new_status, c.new_currency,
           c.new_pbp_id, c.new_price
      from change c, zone z
     where (c.old_status, c.old_currency, c.old_pbp_id, c.old_price)
           is distinct from (c.new_status, c.new_currency, c.new_pbp_id, c.new_price)
  ), part (plan, kind, day, until, status, currency, pbp_id, price, n) as (
    select plan, 'level', born_day, null::date, status, currency, pbp_id, price, 1
      from own where is_subscribed(status)
    union all
    select plan, 'level', born_day, null, old_status, old_currency, old_pbp_id, old_price, 1
      from level_change where is_subscribed(old_status)
    union all
    select plan, 'level', seen_day, null, old_status, old_currency, old_pbp_id, old_price, -1
      from level_change where is_subscribed(old_status)
    union all
    select plan, 'level', born_day, null, new_status, new_currency, new_pbp_id, new_price, -1
      from level_change where is_subscribed(new_status)
    union all
    select plan, 'level', seen_day, null, new_status, new_currency, new_pbp_id, new_price, 1
      from level_change where is_subscribed(new_status)
    union all
    select plan, 'current', day_by_offsets(next_billing_cycle, z.offsets, z.offset_from),
           day_by_offsets(current_period_start, z.offsets, z.offset_from), status, currency, pbp_id, price, 1
      from own, zone z
    union all
    select plan, 'span', day_by_offsets(coalesce(next_billing_cycle, current_period_end), z.offsets, z.offset_from),
           day_by_offsets(current_period_start, z.offsets, z.offset_from), null, null, null, null, 1
      from own, zone z
    union all
    select plan, 'created', day_by_offsets(created_at, z.offsets, z.offset_from), null, status,
           case when status = 'pending_checkout' then currency end, null,
           case when status = 'pending_checkout' then price end, 1
      from own, zone z
    union all
    select c.plan, event.kind, c.seen_day,
           lead(c.seen_day) over (partition by c.subscription_id, event.kind order by c.seen_at, c.id),
           null, null, null, null, 1
      from change c cross join lateral (values
        ('begun', c.is_first_payment),
        ('lost', c.is_lost),
        ('cancelled', c.is_lost and c.new_status = 'cancelled'),
        ('inactive', c.is_lost and c.new_status = 'inactive'),
        ('resumed', c.is_resumed),
        ('paid_when_due', c.is_renewal and c.old_status = 'due'),
        ('saved', c.is_resumed or c.is_renewal and c.old_status = 'due')) as event (kind, happened)
     where (c.is_first_payment or c.is_lost or c.is_resumed or c.is_renewal and c.old_status = 'due')
       and event.happened
    union all
    select plan, 'moved', seen_day, null, null, null, null, null, 1
      from change
     where not is_first_payment and not is_renewal and old_status = 'active' and new_status = 'active'
       and new_next_billing > old_next_billing
    union all
    select plan, case when not is_renewal then 'unpaid' when seen_day <= day then 'in_time' else 'late' end,
           day, null, null, null, null, null, 1
      from (select c.*, day_by_offsets(c.old_next_billing, z.offsets, z.offset_from) as day
              from change c, zone z
             where c.old_next_billing is not null
               and (c.is_renewal and c.old_status in ('active', 'due')
                    or not c.is_renewal and c.old_status = 'due'
                       and (c.is_lost or c.new_next_billing is distinct from c.old_next_billing))) as billed
    union all
    select plan, kind, start_month, null, null, null, null, null, 1
      from own cross join lateral (values ('cohort', true), ('left', is_subscribed(status))) as one (kind, is_one)
     where start_month is not null and is_one
    union all
    select plan, 'step', start_month, date_trunc('month', seen_day)::date,
           null, null, null, null, is_subscribed(old_status)::integer - is_subscribed(new_status)::integer
      from change
     where start_month is not null and is_subscribed(old_status) <> is_subscribed(new_status)
  )
  select owner, its_mode, kind, coalesce(day, '-infinity'), coalesce(until, 'infinity'), status, currency,
         pbp_id, price, plan[1], plan[2], plan[3], plan[4], plan[5]::boolean,
         sum(n), null::numeric, null::numeric, null::numeric, false
    from part
   group by kind, day, until, status, currency, pbp_id, price, plan
  having sum(n) <> 0
$$;

-- With the payments `written` as they were before (`replaced`), when given.
create function sums_of_payments(owner uuid, its_mode text, its_ids text[], written bigint[] default '{}',
                                 replaced proof[] default '{}') returns setof mirror_sum
  language sql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off
  set enable_sort = off as $$
  with paid as (
    select p.subscription_id, day_by_offsets(p.paid_at, z.offsets, z.offset_from) as day, p.currency,
           p.amount, p.fee, p.net,
           lead(day_by_offsets(p.paid_at, z.offsets, z.offset_from))
             over (partition by p.subscription_id order by p.paid_at, p.id) as until
      from mirror_sums z, unnest(its_ids) as i (id) cross join lateral (
        (select * from proof
          where seller_id = owner and mode = its_mode and subscription_id = i.id and id <> all (written)
          order by id desc offset 0)
        union all
        select * from unnest(replaced) where subscription_id = i.id) as p
     where z.seller_id = owner and z.mode = its_mode
  )
  select owner, its_mode, 'paid', p.day, coalesce(p.until, 'infinity'),
         case when p.amount is null then 'unpriced' else 'priced' end, coalesce(p.currency, ''),
         null::text, null::numeric, c.product_id, c.product_name, c.plan_name, c.pbp_id,
         is_one_time(c.status, c.current_period_start, c.current_period_end, c.next_billing_cycle, null)
           and c.id is not null,
         count(*), sum(p.amount), sum(p.fee), sum(p.net), false
    from paid p
    left join lateral (
      select * from mirror_counted
       where seller_id = owner and mode = its_mode and id = p.subscription_id limit 1) as c on true
   group by 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
$$;

-- Whether sums are kept. Who begins to keep them waits for the writers that did not know of it.
create function keeps_sums(owner uuid, its_mode text) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('sums ' || its_mode || owner, 0));
  return exists (select from mirror_sums where seller_id = owner and mode = its_mode);
end
$$;

create function without_sums(gone mirror_sum[]) returns setof mirror_sum language sql as $$
  select seller_id, mode, kind, day, until, status, currency, pbp_id, price, product_id, product_name,
         plan_name, last_pbp_id, is_marked, -n, -amount, -fee, -net, false
    from unnest(gone)
$$;

-- Adds what these subscriptions add now, less what they added before.
create function add_sums(owner uuid, its_mode text, its_ids text[], gone mirror_sum[]) returns void
  language sql as $$
  insert into mirror_sum
  select seller_id, mode, kind, day, until, status, currency, pbp_id, price, product_id, product_name,
         plan_name, last_pbp_id, is_marked, sum(n), sum(amount), sum(fee), sum(net), false
    from (select * from sums_of_subscriptions(owner, its_mode, its_ids)
          union all select * from without_sums(gone)) as one
   group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
  having sum(n) <> 0
$$;

create function add_payment_sums(owner uuid, its_mode text, its_ids text[], gone mirror_sum[]) returns void
  language sql as $$
  insert into mirror_sum
  select * from sums_of_payments(owner, its_mode, its_ids) union all select * from without_sums(gone)
$$;

-- As before, and with the sums. Payments belong to the subscription's product, so whoever changes that waits for
-- whoever writes payments.
create or replace function note_mirror_changes() returns trigger language plpgsql
  set enable_nestloop = off as $$
declare
  one record;
  gone mirror_sum[] := '{}';
  gone_payments mirror_sum[] := '{}';
  is_any boolean := false;
begin
  for one in
    select n.seller_id, n.mode, array_agg(n.id) as ids, coalesce(array_agg(n.id) filter (where
             (o.product_id, o.product_name, o.plan_name, o.pbp_id,
              is_one_time(o.status, o.current_period_start, o.current_period_end, o.next_billing_cycle, null))
             is distinct from
             (n.product_id, n.product_name, n.plan_name, n.pbp_id,
              is_one_time(n.status, n.current_period_start, n.current_period_end, n.next_billing_cycle, null))),
             '{}') as moved
      from old_row o join new_row n using (seller_id, mode, id)
     where (o.status, o.current_period_start, o.next_billing_cycle, o.price, o.currency, o.pbp_id,
            o.product_id, o.product_name, o.plan_name, o.current_period_end, o.created_at, o.first_seen_at)
           is distinct from
           (n.status, n.current_period_start, n.next_billing_cycle, n.price, n.currency, n.pbp_id,
            n.product_id, n.product_name, n.plan_name, n.current_period_end, n.created_at, n.first_seen_at)
     group by 1, 2
  loop
    is_any := true;
    if keeps_sums(one.seller_id, one.mode) then
      gone := gone || array(select s from sums_of_subscriptions(one.seller_id, one.mode, one.ids) s);
      if one.moved <> '{}' then
        perform lock_ledger(one.seller_id, one.mode);
        gone_payments := gone_payments
          || array(select s from sums_of_payments(one.seller_id, one.mode, one.moved) s);
      end if;
    end if;
  end loop;
  if not is_any then return null; end if;
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
  for one in
    select n.seller_id, n.mode, array_agg(n.id) as ids, coalesce(array_agg(n.id) filter (where
             (o.product_id, o.product_name, o.plan_name, o.pbp_id,
              is_one_time(o.status, o.current_period_start, o.current_period_end, o.next_billing_cycle, null))
             is distinct from
             (n.product_id, n.product_name, n.plan_name, n.pbp_id,
              is_one_time(n.status, n.current_period_start, n.current_period_end, n.next_billing_cycle, null))),
             '{}') as moved
      from old_row o join new_row n using (seller_id, mode, id)
     where (o.status, o.current_period_start, o.next_billing_cycle, o.price, o.currency, o.pbp_id,
            o.product_id, o.product_name, o.plan_name, o.current_period_end, o.created_at, o.first_seen_at)
           is distinct from
           (n.status, n.current_period_start, n.next_billing_cycle, n.price, n.currency, n.pbp_id,
            n.product_id, n.product_name, n.plan_name, n.current_period_end, n.created_at, n.first_seen_at)
     group by 1, 2
  loop
    if keeps_sums(one.seller_id, one.mode) then
      perform add_sums(one.seller_id, one.mode, one.ids, gone);
      perform add_payment_sums(one.seller_id, one.mode, one.moved, gone_payments);
      gone := '{}';
      gone_payments := '{}';
    end if;
  end loop;
  return null;
end
$$;

create or replace function count_mirror_arrivals() returns trigger language plpgsql as $$
declare
  one record;
  gone mirror_sum[] := '{}';
begin
  for one in select seller_id, mode, array_agg(id) as ids from arrived group by 1, 2 loop
    if keeps_sums(one.seller_id, one.mode) then
      perform lock_ledger(one.seller_id, one.mode);
      gone := gone || array(select s from sums_of_payments(one.seller_id, one.mode, one.ids) s);
    end if;
  end loop;
  insert into mirror_counted
    (seller_id, mode, id, status, price, currency, pbp_id, product_id, product_name, plan_name,
     current_period_start, current_period_end, next_billing_cycle, created_at, first_seen_at)
  select seller_id, mode, id, status, price, currency, pbp_id, product_id, product_name, plan_name,
         current_period_start, current_period_end, next_billing_cycle, created_at, first_seen_at
    from arrived;
  for one in select seller_id, mode, array_agg(id) as ids from arrived group by 1, 2 loop
    if keeps_sums(one.seller_id, one.mode) then
      perform add_sums(one.seller_id, one.mode, one.ids, '{}');
      perform add_payment_sums(one.seller_id, one.mode, one.ids, gone);
      gone := '{}';
    end if;
  end loop;
  return null;
end
$$;

create or replace function forget_mirror_changes() returns trigger language plpgsql as $$
declare
  one record;
  lost mirror_sum[] := '{}';
  lost_payments mirror_sum[] := '{}';
begin
  for one in select seller_id, mode, array_agg(id) as ids from gone group by 1, 2 loop
    if keeps_sums(one.seller_id, one.mode) then
      perform lock_ledger(one.seller_id, one.mode);
      lost := lost || array(select s from sums_of_subscriptions(one.seller_id, one.mode, one.ids) s);
      lost_payments := lost_payments
        || array(select s from sums_of_payments(one.seller_id, one.mode, one.ids) s);
    end if;
  end loop;
  delete from mirror_change c using gone
   where c.seller_id = gone.seller_id and c.mode = gone.mode and c.subscription_id = gone.id;
  delete from mirror_counted c using gone
   where c.seller_id = gone.seller_id and c.mode = gone.mode and c.id = gone.id;
  for one in select seller_id, mode, array_agg(id) as ids from gone group by 1, 2 loop
    if keeps_sums(one.seller_id, one.mode) then
      perform add_sums(one.seller_id, one.mode, one.ids, lost);
      perform add_payment_sums(one.seller_id, one.mode, one.ids, lost_payments);
      lost := '{}';
      lost_payments := '{}';
    end if;
  end loop;
  return null;
end
$$;

-- One statement can write many payments of a subscription.
create function note_payment_sums() returns trigger language plpgsql as $$
declare
  one record;
  replaced proof[] := '{}';
begin
  if tg_op = 'UPDATE' then replaced := array(select row(o.*)::proof from old_row o); end if;
  for one in
    select seller_id, mode, array_agg(distinct subscription_id) as ids, array_agg(id) as written
      from new_row group by 1, 2
  loop
    if keeps_sums(one.seller_id, one.mode) then
      perform lock_ledger(one.seller_id, one.mode);
      perform add_payment_sums(one.seller_id, one.mode, one.ids, array(
        select s from sums_of_payments(one.seller_id, one.mode, one.ids, one.written, array(
          select r from unnest(replaced) r where r.seller_id = one.seller_id and r.mode = one.mode)) s));
    end if;
  end loop;
  return null;
end
$$;
create trigger proof_inserted_sums after insert on proof
  referencing new table as new_row for each statement execute function note_payment_sums();
create trigger proof_updated_sums after update on proof
  referencing old table as old_row new table as new_row for each statement execute function note_payment_sums();

-- As before; the ledger first, like everybody who writes payments.
create or replace function complete_proofs() returns trigger language plpgsql as $$
begin
  perform lock_ledger(seller_id, mode)
     from (select distinct seller_id, mode from arrived join proof p using (seller_id, mode)
            where p.amount is null and p.subscription_id = arrived.id) as unknown;
  update proof p
     set amount = round(a.sum, 2), currency = left(nullif(a.currency, ''), 10),
         fee = round(a.sum * 0.0199, 2), net = round(a.sum, 2) - round(a.sum * 0.0199, 2),
         product_name = a.product_name, known_by = 'later', is_list_price = a.asked is null
    from (select unknown.id as proof_id, s.*, asked, coalesce(asked, s.price) as sum
            from arrived join proof unknown using (seller_id, mode)
            join mirror_subscription s using (seller_id, mode),
              amount_asked(s.seller_id, s.mode, s.pbp_id, s.price, s.currency,
                           coalesce(unknown.said_at, unknown.at)) asked
           where unknown.amount is null and unknown.subscription_id = arrived.id
             and s.id = arrived.id and s.price is not null) a
   where p.seller_id = a.seller_id and p.mode = a.mode and p.id = a.proof_id;
  return null;
end
$$;

-- The sums first: what the triggers would take from them one by one goes at once.
create or replace function clear_mirror(owner uuid, its_mode text) returns void language sql as $$
  delete from mirror_sums where seller_id = owner and mode = its_mode;
  delete from mirror_sum where seller_id = owner and mode = its_mode;
  delete from mirror_change where seller_id = owner and mode = its_mode;
  delete from mirror_counted where seller_id = owner and mode = its_mode;
  delete from mirror_round where seller_id = owner and mode = its_mode;
  delete from mirror_hint where seller_id = owner and mode = its_mode;
  delete from mirror_subscription where seller_id = owner and mode = its_mode;
  delete from mirror_customer where seller_id = owner and mode = its_mode;
  delete from mirror_product where seller_id = owner and mode = its_mode;
$$;

-- Lets the sync job sum everything again: for another zone's days, or after rows were written past the triggers.
create function sum_again(owner uuid, its_mode text) returns void language sql as $$
  delete from mirror_sums where seller_id = owner and mode = its_mode;
  update mirror set due_at = now() where seller_id = owner and mode = its_mode;
  select pg_notify('mirror', '');
$$;
create function sum_by_other_days() returns trigger language plpgsql as $$
begin
  perform sum_again(seller_id, mode) from mirror where seller_id = new.id;
  return null;
end
$$;
create trigger seller_other_days after update on seller
  for each row when (old.time_zone is distinct from new.time_zone) execute function sum_by_other_days();

-- Puts everything that is there into the sums, which then only changes are added to.
create function sum_everything(owner uuid, its_mode text) returns void language plpgsql as $$
begin
  delete from mirror_sum where seller_id = owner and mode = its_mode;
  insert into mirror_sum
  select seller_id, mode, kind, day, until, status, currency, pbp_id, price, product_id, product_name,
         plan_name, last_pbp_id, is_marked, n, amount, fee, net, true
    from sums_of_subscriptions(owner, its_mode, array(
           select id from mirror_counted where seller_id = owner and mode = its_mode));
  insert into mirror_sum
  select seller_id, mode, kind, day, until, status, currency, pbp_id, price, product_id, product_name,
         plan_name, last_pbp_id, is_marked, n, amount, fee, net, true
    from sums_of_payments(owner, its_mode, array(
           select distinct subscription_id from proof where seller_id = owner and mode = its_mode));
  update mirror_sums set is_ready = true where seller_id = owner and mode = its_mode;
end
$$;

-- Sums up what was added, in the days that it was added to.
create function fold_sums(owner uuid, its_mode text) returns void language sql set enable_nestloop = off as $$
  with touched as (
    select distinct kind, day from mirror_sum
     where seller_id = owner and mode = its_mode and not is_folded
  ), gone as (
    delete from mirror_sum m using touched t
     where m.seller_id = owner and m.mode = its_mode and m.kind = t.kind and m.day = t.day
    returning m.*)
  insert into mirror_sum
  select seller_id, mode, kind, day, until, status, currency, pbp_id, price, product_id, product_name,
         plan_name, last_pbp_id, is_marked, sum(n), sum(amount), sum(fee), sum(net), true
    from gone
   group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
  having sum(n) <> 0 or sum(amount) <> 0 or sum(fee) <> 0 or sum(net) <> 0
$$;

-- Collection reads along these what has one price and, by its day, one place in the queue.
create index mirror_counted_billing on mirror_counted
  (seller_id, mode, status, pbp_id, coalesce(price, -1), coalesce(next_billing_cycle, '-infinity'), id)
  where status in ('due', 'active');
create index mirror_counted_waiting on mirror_counted
  (seller_id, mode, pbp_id, coalesce(price, -1), coalesce(created_at, '-infinity'), id)
  where status = 'pending_checkout';
create index collection_state_promised on collection_state (seller_id, mode, promised_for)
  where promised_for is not null;
create index collection_state_snoozed on collection_state (seller_id, mode, snoozed_until)
  where snoozed_until is not null;
create index collection_state_contacted on collection_state (seller_id, mode, last_contact_at)
  where last_contact_at is not null;

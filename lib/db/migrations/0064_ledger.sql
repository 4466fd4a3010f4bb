-- When Duebook last asked the service by itself to send its webhooks here; null before it did.
alter table receiver add column asked_at timestamptz;

-- A payment that the record shows and no delivery told of is in the ledger too: the service confirms it.
-- A delivery that comes afterwards takes its place in the same row.
alter table proof
  alter column received_delivery_id drop not null,
  drop constraint proof_known_by_check,
  add constraint proof_known_by_check
    check (known_by in ('delivery', 'subscription', 'later', 'unknown', 'record')),
  -- Null where nobody can say whether it was the first.
  add column is_renewal boolean;
update proof p set is_renewal = d.old_status <> 'pending_checkout'
  from received_delivery d
 where d.seller_id = p.seller_id and d.mode = p.mode and d.id = p.received_delivery_id;

-- The payment of the ledger that a change showed; null until it was looked for. Where a service gives no
-- start, a date that somebody moved looks like a renewal: then only a delivery tells.
alter table mirror_change
  add column proof_id bigint,
  add column shows_payment boolean not null generated always as (
    is_first_payment(old_status, new_status)
    or new_period_start is not null
      and is_renewal_payment(old_status, new_status, old_period_start, new_period_start)) stored;
create index mirror_change_unsettled on mirror_change (seller_id, mode)
  where shows_payment and proof_id is null;
create index mirror_change_proof on mirror_change (seller_id, mode, subscription_id, proof_id)
  where proof_id is not null;

-- Only an amount that nobody knew can be added, and a delivery to what none told of, each once.
create or replace function refuse_proof_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    -- With its seller, which is gone by then.
    if not exists (select 1 from seller where id = old.seller_id) then return old; end if;
  elsif (new.id, new.seller_id, new.mode, new.subscription_id, new.at)
      = (old.id, old.seller_id, old.mode, old.subscription_id, old.at)
    and (old.received_delivery_id is null and new.received_delivery_id is not null
      or old.amount is null and new.amount is not null
        and (new.received_delivery_id, new.delivery_id, new.said_at, new.is_renewal)
          is not distinct from (old.received_delivery_id, old.delivery_id, old.said_at, old.is_renewal))
  then return new;
  end if;
  raise exception 'proof is append-only';
end
$$;

-- One payment may be told of and seen at one moment: whoever keeps either waits for the other.
create function lock_ledger(owner uuid, its_mode text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('ledger ' || its_mode || owner, 0));
$$;

create or replace function keep_proof() returns trigger language plpgsql as $$
declare
  told jsonb;
  said text;
  moment timestamptz;
  sum numeric;
  its_currency text;
  its_product text;
  known text := 'unknown';
  shown bigint;
begin
  -- An example was made up, to try things out.
  if new.subscription_id is null or new.reason = 'example' then return null; end if;
  perform lock_ledger(new.seller_id, new.mode);
  begin
    told := ltrim(new.body, U&'\FEFF')::jsonb;
  exception when others then
    -- PostgreSQL reads less than JSON allows, such as a NUL; the delivery is a proof all the same.
    told := null;
  end;
  begin
    if told ->> 'timestamp' ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$' then
      moment := (told ->> 'timestamp')::timestamptz;
    end if;
  exception when others then
    moment := null;
  end;
  select price, nullif(s.currency, ''), s.product_name into sum, its_currency, its_product
    from mirror_subscription s
   where s.seller_id = new.seller_id and s.mode = new.mode and s.id = new.subscription_id;
  said := coalesce(told #>> '{data,amount}', told ->> 'amount');
  if said ~ '^\d{1,12}(\.\d{1,2})?$' then
    sum := said::numeric;
    its_currency := coalesce(told #>> '{data,currency}', told ->> 'currency', its_currency);
    known := 'delivery';
  elsif sum is not null then
    known := 'subscription';
  end if;
  -- The record may have shown it before: senders try again for three days.
  select p.id into shown from proof p
   where p.seller_id = new.seller_id and p.mode = new.mode and p.subscription_id = new.subscription_id
     and p.received_delivery_id is null and p.at >= new.received_at - interval '4 days'
     and coalesce(p.said_at <= moment + interval '1 hour', true)
   order by p.at desc limit 1;
  if shown is not null then
    update proof p
       set received_delivery_id = new.id, delivery_id = new.delivery_id,
           said_at = coalesce(moment, p.said_at), amount = round(coalesce(sum, p.amount), 2),
           currency = coalesce(left(its_currency, 10), p.currency),
           fee = round(coalesce(sum, p.amount) * 0.0199, 2),
           net = round(coalesce(sum, p.amount), 2) - round(coalesce(sum, p.amount) * 0.0199, 2),
           known_by = case when sum is null then p.known_by else known end
     where p.seller_id = new.seller_id and p.mode = new.mode and p.id = shown;
    return null;
  end if;
  insert into proof (seller_id, mode, received_delivery_id, delivery_id, subscription_id, at, said_at,
                     product_name, amount, currency, fee, net, known_by, is_renewal)
  values (new.seller_id, new.mode, new.id, new.delivery_id, new.subscription_id, new.received_at,
          moment, its_product, round(sum, 2), left(its_currency, 10), round(sum * 0.0199, 2),
          round(sum, 2) - round(sum * 0.0199, 2), known, new.old_status <> 'pending_checkout');
  return null;
end
$$;

-- Finds for each payment that a record showed the delivery that told of it, or keeps it by itself. Beside
-- what writes the copy, never within it: an arrival holds the ledger and waits for the copy.
create function keep_shown_payments(owner uuid, its_mode text) returns integer language plpgsql as $$
declare
  shown record;
  proving bigint;
  kept text[] := '{}';
begin
  if not exists (select from mirror_change where seller_id = owner and mode = its_mode
                    and shows_payment and proof_id is null)
  then return 0; end if;
  perform lock_ledger(owner, its_mode);
  for shown in
    select c.id, c.subscription_id, c.seen_at, c.new_period_start, c.new_price, c.new_currency,
           c.is_renewal, s.product_name
      from mirror_change c left join mirror_subscription s
        on s.seller_id = owner and s.mode = its_mode and s.id = c.subscription_id
     where c.seller_id = owner and c.mode = its_mode
       and c.shows_payment and c.proof_id is null
     -- The newest takes the newest delivery.
     order by c.id desc for update of c skip locked
  loop
    select p.id into proving from proof p
     where p.seller_id = owner and p.mode = its_mode and p.subscription_id = shown.subscription_id
       and not exists (select from mirror_change o
             where o.seller_id = owner and o.mode = its_mode
               and o.subscription_id = shown.subscription_id and o.proof_id = p.id)
       -- Of this period; an hour is allowed for clocks.
       and case when shown.new_period_start is null then p.at >= shown.seen_at - interval '4 days'
             else coalesce(p.said_at, p.at) + interval '1 hour' >= shown.new_period_start end
     order by coalesce(p.said_at, p.at) desc limit 1;
    if proving is null then
      insert into proof (seller_id, mode, subscription_id, at, said_at, product_name, amount, currency,
                         fee, net, known_by, is_renewal)
      values (owner, its_mode, shown.subscription_id, shown.seen_at, shown.new_period_start,
              shown.product_name, round(shown.new_price, 2),
              left(nullif(shown.new_currency, ''), 10), round(shown.new_price * 0.0199, 2),
              round(shown.new_price, 2) - round(shown.new_price * 0.0199, 2),
              case when shown.new_price is null then 'unknown' else 'record' end, shown.is_renewal)
      returning id into proving;
      kept := kept || shown.subscription_id::text;
    end if;
    update mirror_change set proof_id = proving
     where seller_id = owner and mode = its_mode and subscription_id = shown.subscription_id
       and id = shown.id;
  end loop;
  if cardinality(kept) > 0 then perform notify_live(owner, its_mode, 'proofs', kept); end if;
  return cardinality(kept);
end
$$;

-- A service that offers its own record of payments tells each with the period that it paid for: first all of its
-- list, newest first (`payments_before` is the last one read; null at the end), then by its feed of changes.
alter table mirror
  add column payments_before text default '',
  add column payments_read_at timestamptz;

create or replace function forget_feed() returns trigger language plpgsql as $$
begin
  new.feed_cursor := null;
  new.followed_from := null;
  new.payments_before := '';
  new.payments_read_at := null;
  return new;
end $$;

-- A row with a period is as the service's record has it; `said_at` is its time of payment then.
alter table proof
  drop constraint proof_known_by_check,
  add constraint proof_known_by_check
    check (known_by in ('delivery', 'subscription', 'later', 'unknown', 'record', 'service')),
  add column period_start timestamptz,
  add column provider_reference text,
  drop column paid_at,
  add column paid_at timestamptz not null generated always as (
    case when received_delivery_id is null and period_start is null then at else least(at, said_at) end) stored;
create index proof_paid on proof (seller_id, mode, paid_at desc, id desc);

-- As before; and what the service's record says, once.
create or replace function refuse_proof_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    -- With its seller, which is gone by then.
    if not exists (select 1 from seller where id = old.seller_id) then return old; end if;
  elsif (new.id, new.seller_id, new.mode, new.subscription_id, new.at)
      = (old.id, old.seller_id, old.mode, old.subscription_id, old.at)
    and (old.period_start is null and new.period_start is not null
      or old.received_delivery_id is null and new.received_delivery_id is not null
      or old.amount is null and new.amount is not null
        and (new.received_delivery_id, new.delivery_id, new.said_at, new.is_renewal)
          is not distinct from (old.received_delivery_id, old.delivery_id, old.said_at, old.is_renewal))
  then return new;
  end if;
  raise exception 'proof is append-only';
end
$$;

-- As before; what is known of the payment stays.
create or replace function name_payment() returns trigger language plpgsql as $$
declare
  kept text;
  told jsonb;
  said text;
begin
  if new.period_start is not null then return new; end if;
  select d.body into kept from received_delivery d
   where d.seller_id = new.seller_id and d.mode = new.mode and d.id = new.received_delivery_id;
  new.payment_id := lower(substring(kept from '"payment_id"\s*:\s*"([0-9A-Za-z_-]{8,64})"'));
  begin
    told := ltrim(kept, U&'\FEFF')::jsonb;
  exception when others then
    -- As in keep_proof.
    return new;
  end;
  said := coalesce(told #>> '{data,method}', told ->> 'method');
  if said ~ '^[0-9A-Za-z _-]{1,40}$' then new.method := said; end if;
  said := coalesce(told #>> '{data,vat}', told ->> 'vat');
  if said ~ '^\d{1,12}(\.\d{1,2})?$' then new.vat := round(said::numeric, 2); end if;
  return new;
end
$$;

-- As before; a delivery about a payment that is there joins its row, by the payment's id.
create or replace function keep_proof() returns trigger language plpgsql as $$
declare
  told jsonb;
  said text;
  moment timestamptz;
  sum numeric;
  its_currency text;
  its_product text;
  its_payment text;
  known text := 'unknown';
  is_list boolean;
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
  its_payment := lower(substring(new.body from '"payment_id"\s*:\s*"([0-9A-Za-z_-]{8,64})"'));
  select p.id into shown from proof p
   where p.seller_id = new.seller_id and p.mode = new.mode and p.subscription_id = new.subscription_id
     and (p.payment_id = its_payment
          or its_payment is null and p.received_delivery_id is null and p.period_start is not null
             and p.said_at between moment - interval '1 minute' and moment + interval '1 minute')
   order by p.id limit 1;
  if shown is not null then
    -- Another delivery about the same payment adds nothing.
    update proof p set received_delivery_id = new.id, delivery_id = new.delivery_id,
           is_renewal = new.old_status <> 'pending_checkout'
     where p.seller_id = new.seller_id and p.mode = new.mode and p.id = shown
       and p.received_delivery_id is null;
    return null;
  end if;
  select coalesce(a.asked, s.price), case when s.price is not null then a.asked is null end,
         nullif(s.currency, ''), s.product_name
    into sum, is_list, its_currency, its_product
    from mirror_subscription s, amount_asked(s.seller_id, s.mode, s.pbp_id, s.price, s.currency,
                                             coalesce(moment, new.received_at)) a (asked)
   where s.seller_id = new.seller_id and s.mode = new.mode and s.id = new.subscription_id;
  said := coalesce(told #>> '{data,amount}', told ->> 'amount');
  if said ~ '^\d{1,12}(\.\d{1,2})?$' then
    sum := said::numeric;
    its_currency := coalesce(told #>> '{data,currency}', told ->> 'currency', its_currency);
    known := 'delivery';
    is_list := false;
  elsif sum is not null then
    known := 'subscription';
  end if;
  -- The record may have shown it before: of the same kind, and within the period that it showed. Where nobody says
  -- when, or it was paid ahead of its date, so that the period before may run, not long ago: senders try again for
  -- three days.
  select p.id into shown
    from proof p
    left join mirror_change c on c.seller_id = new.seller_id and c.mode = new.mode
     and c.subscription_id = new.subscription_id and c.proof_id = p.id
   where p.seller_id = new.seller_id and p.mode = new.mode and p.subscription_id = new.subscription_id
     and p.received_delivery_id is null and p.period_start is null
     and coalesce(p.is_renewal = (new.old_status <> 'pending_checkout'), true)
     and not coalesce(new.old_status = 'active' and c.old_status = 'due', false)
     and coalesce(p.said_at <= moment + interval '1 hour', true)
     and coalesce(c.new_next_billing > moment, true)
     and (p.said_at <= moment + interval '1 hour' and new.old_status is distinct from 'active'
          or p.at >= new.received_at - interval '4 days')
   order by p.at desc limit 1;
  if shown is not null then
    update proof p
       set received_delivery_id = new.id, delivery_id = new.delivery_id,
           said_at = coalesce(moment, p.said_at), amount = round(coalesce(sum, p.amount), 2),
           currency = coalesce(left(its_currency, 10), p.currency),
           fee = round(coalesce(sum, p.amount) * 0.0199, 2),
           net = round(coalesce(sum, p.amount), 2) - round(coalesce(sum, p.amount) * 0.0199, 2),
           known_by = case when sum is null then p.known_by else known end,
           is_list_price = case when sum is null then p.is_list_price else is_list end
     where p.seller_id = new.seller_id and p.mode = new.mode and p.id = shown;
    return null;
  end if;
  insert into proof (seller_id, mode, received_delivery_id, delivery_id, subscription_id, at, said_at,
                     product_name, amount, currency, fee, net, known_by, is_list_price, is_renewal)
  values (new.seller_id, new.mode, new.id, new.delivery_id, new.subscription_id, new.received_at,
          moment, its_product, round(sum, 2), left(its_currency, 10), round(sum * 0.0199, 2),
          round(sum, 2) - round(sum * 0.0199, 2), known, is_list, new.old_status <> 'pending_checkout');
  return null;
end
$$;

-- As before. While the service's record of payments is followed, it alone says what was paid: a change that shows a
-- payment is joined to it, and adds none.
create or replace function keep_shown_payments(owner uuid, its_mode text) returns integer language plpgsql as $$
declare
  shown record;
  proving bigint;
  its_product text;
  asked numeric;
  sum numeric;
  settled integer := 0;
  kept text[] := '{}';
  is_told boolean;
begin
  if not exists (select from mirror_change where seller_id = owner and mode = its_mode
                    and shows_payment and proof_id is null)
  then return 0; end if;
  perform lock_ledger(owner, its_mode);
  is_told := exists (select from mirror
                      where seller_id = owner and mode = its_mode and feed_cursor is not null);
  -- Joined again when all of them were read.
  if is_told and exists (select from mirror
                          where seller_id = owner and mode = its_mode and payments_before is not null)
  then return 0; end if;
  for shown in
    select c.id, c.subscription_id, c.seen_at, c.new_period_start, c.new_pbp_id, c.new_price,
           c.new_currency, c.is_renewal
      from mirror_change c
     where c.seller_id = owner and c.mode = its_mode
       and c.shows_payment and c.proof_id is null
     -- The newest takes the newest delivery.
     order by c.id desc limit 500 for update skip locked
  loop
    select p.id into proving from proof p
     where p.seller_id = owner and p.mode = its_mode and p.subscription_id = shown.subscription_id
       and not exists (select from mirror_change o
             where o.seller_id = owner and o.mode = its_mode
               and o.subscription_id = shown.subscription_id and o.proof_id = p.id)
       -- Of this period; an hour is allowed for clocks.
       and (p.period_start = shown.new_period_start
            or case when shown.new_period_start is null then p.at >= shown.seen_at - interval '4 days'
                 else coalesce(p.said_at, p.at) + interval '1 hour' >= shown.new_period_start end)
     order by p.period_start = shown.new_period_start desc nulls last, coalesce(p.said_at, p.at) desc
     limit 1;
    if proving is null and is_told then
      -- Its payment may be told a moment later.
      continue when shown.seen_at > clock_timestamp() - interval '1 minute';
      proving := 0;
    elsif proving is null then
      asked := amount_asked(owner, its_mode, shown.new_pbp_id, shown.new_price, shown.new_currency,
                            coalesce(shown.new_period_start, shown.seen_at));
      sum := coalesce(asked, shown.new_price);
      select product_name into its_product from mirror_subscription
       where seller_id = owner and mode = its_mode and id = shown.subscription_id;
      insert into proof (seller_id, mode, subscription_id, at, said_at, product_name, amount, currency,
                         fee, net, known_by, is_list_price, is_renewal)
      values (owner, its_mode, shown.subscription_id, shown.seen_at, shown.new_period_start,
              its_product, round(sum, 2), left(nullif(shown.new_currency, ''), 10),
              round(sum * 0.0199, 2), round(sum, 2) - round(sum * 0.0199, 2),
              case when sum is null then 'unknown' else 'record' end,
              case when sum is not null then asked is null end, shown.is_renewal)
      returning id into proving;
      kept := kept || shown.subscription_id::text;
    end if;
    update mirror_change set proof_id = proving
     where seller_id = owner and mode = its_mode and subscription_id = shown.subscription_id
       and id = shown.id;
    settled := settled + 1;
  end loop;
  if cardinality(kept) > 0 then perform notify_live(owner, its_mode, 'proofs', kept); end if;
  return settled;
end
$$;

-- Keeps what the service's record says of payments. One that a delivery or a subscription showed before is that row:
-- by its id, else of its subscription by its time. `is_news` is false for what is read of the past.
create function keep_told_payments(owner uuid, its_mode text, told jsonb, is_news boolean) returns void
  language plpgsql as $$
declare
  one record;
  known bigint;
  kept text[];
begin
  perform lock_ledger(owner, its_mode);
  for one in
    select r.* from jsonb_to_recordset(told) as r (payment_id text, subscription_id text, amount numeric,
           currency text, vat numeric, fee numeric, method text, provider_reference text,
           period_start timestamptz, paid_at timestamptz)
     where exists (select from proof p
             where p.seller_id = owner and p.mode = its_mode and p.subscription_id = r.subscription_id
               and p.period_start is null)
       and not exists (select from proof p
             where p.seller_id = owner and p.mode = its_mode and p.subscription_id = r.subscription_id
               and p.payment_id = r.payment_id and p.period_start is not null)
     order by r.paid_at, r.payment_id
  loop
    select p.id into known from proof p
     where p.seller_id = owner and p.mode = its_mode and p.subscription_id = one.subscription_id
       and p.period_start is null
       and (p.payment_id = one.payment_id
            or p.payment_id is null and p.received_delivery_id is not null
               and coalesce(p.said_at, p.at)
                   between one.paid_at - interval '1 minute' and one.paid_at + interval '1 minute'
            -- A subscription that shows the payment says when its period began, and is seen within a day.
            or p.received_delivery_id is null
               and (p.said_at = one.period_start
                    or p.said_at between one.paid_at - interval '1 hour' and one.paid_at + interval '1 hour'
                    or p.at between one.paid_at - interval '1 hour' and one.paid_at + interval '1 day'))
     order by p.payment_id = one.payment_id desc nulls last,
              abs(extract(epoch from coalesce(p.said_at, p.at) - one.paid_at)), p.id
     limit 1;
    update proof p
       set payment_id = one.payment_id, amount = one.amount, currency = one.currency, vat = one.vat,
           fee = one.fee, net = one.amount - one.fee, method = coalesce(one.method, p.method),
           provider_reference = one.provider_reference, period_start = one.period_start,
           said_at = one.paid_at, is_list_price = false,
           known_by = case p.known_by when 'delivery' then p.known_by else 'service' end
     where p.seller_id = owner and p.mode = its_mode and p.id = known;
  end loop;
  with added as (
    insert into proof (seller_id, mode, subscription_id, at, said_at, product_name, amount, currency, fee,
                       net, vat, method, payment_id, provider_reference, period_start, known_by,
                       is_list_price)
    select owner, its_mode, r.subscription_id, clock_timestamp(), r.paid_at, r.product_name, r.amount,
           r.currency, r.fee, r.amount - r.fee, r.vat, r.method, r.payment_id, r.provider_reference,
           r.period_start, 'service', false
      from (select distinct on (payment_id) * from jsonb_to_recordset(told) as r (payment_id text,
              subscription_id text, product_name text, amount numeric, currency text, vat numeric,
              fee numeric, method text, provider_reference text, period_start timestamptz,
              paid_at timestamptz)) as r
     where not exists (select from proof p
             where p.seller_id = owner and p.mode = its_mode and p.subscription_id = r.subscription_id
               and p.payment_id = r.payment_id)
     order by r.paid_at, r.payment_id
    returning subscription_id)
  select array_agg(distinct subscription_id) into kept from added;
  if is_news and kept is not null then perform notify_live(owner, its_mode, 'proofs', kept); end if;
end
$$;

create or replace view search_index as
  select seller_id, mode, copy as index_version, filled_at, read_at, history_from, error, wait_until,
         claimed_until, due_at, payments_read_at is not null as has_all_payments
    from mirror;

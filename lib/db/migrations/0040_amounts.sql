-- What each period of a product asks for: a list of {pbp_id, price, currency, since, amount}, one for each
-- day on which that changes, worked out by the dashboard when it copies the product.
alter table mirror_product add column price_steps jsonb not null default '[]';

-- Of each listed period, on one day. Compared with the record's own list price by whoever asks: another
-- one is not what the amount was worked out of.
create function amounts_asked(owner uuid, its_mode text, day date)
  returns table (pbp_id text, price numeric, currency text, amount numeric)
  language sql stable rows 300 as $$
  select distinct on (s.pbp_id) s.pbp_id, s.price::numeric, s.currency, s.amount::numeric
    from mirror_product p, jsonb_to_recordset(p.price_steps)
      as s(pbp_id text, price text, currency text, since text, amount text)
   where p.seller_id = owner and p.mode = its_mode
     and (s.since is null or s.since <= to_char(day, 'YYYY-MM-DD'))
     and s.amount is not null
   order by s.pbp_id, s.since desc nulls last
$$;

-- The day in the seller's zone; in UTC where the database does not know the zone.
create function day_of_seller(owner uuid, moment timestamptz) returns date
  language plpgsql stable as $$
begin
  return (select (moment at time zone time_zone)::date from seller where id = owner);
exception when others then
  return (moment at time zone 'UTC')::date;
end
$$;

-- What a payment of that day came to where its event does not say: what the checkout asked for then, else
-- the list price.
create function amount_of_payment(s mirror_subscription, moment timestamptz) returns numeric
  language sql stable as $$
  select coalesce(
    (select a.amount from amounts_asked(s.seller_id, s.mode, day_of_seller(s.seller_id, moment)) a
      where a.pbp_id = s.pbp_id and a.price = s.price and a.currency = s.currency),
    s.price)
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
begin
  -- An example was made up, to try things out.
  if new.subscription_id is null or new.reason = 'example' then return null; end if;
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
  select amount_of_payment(s, coalesce(moment, new.received_at)), nullif(s.currency, ''),
         s.product_name
    into sum, its_currency, its_product
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
  insert into proof (seller_id, mode, received_delivery_id, delivery_id, subscription_id, at, said_at,
                     product_name, amount, currency, fee, net, known_by)
  values (new.seller_id, new.mode, new.id, new.delivery_id, new.subscription_id, new.received_at,
          moment, its_product, round(sum, 2), left(its_currency, 10), round(sum * 0.0199, 2),
          round(sum, 2) - round(sum * 0.0199, 2), known);
  return null;
end
$$;

create or replace function complete_proofs() returns trigger language plpgsql as $$
begin
  update proof p
     set amount = round(a.sum, 2), currency = left(nullif(a.currency, ''), 10),
         fee = round(a.sum * 0.0199, 2), net = round(a.sum, 2) - round(a.sum * 0.0199, 2),
         product_name = a.product_name, known_by = 'later'
    from (select unknown.id as proof_id, s.*,
                 amount_of_payment(s, coalesce(unknown.said_at, unknown.at)) as sum
            from arrived join proof unknown using (seller_id, mode)
            join mirror_subscription s using (seller_id, mode)
           where unknown.amount is null and unknown.subscription_id = arrived.id
             and s.id = arrived.id and s.price is not null) a
   where p.seller_id = a.seller_id and p.mode = a.mode and p.id = a.proof_id;
  return null;
end
$$;

-- What is registered at the service, by event: known also where the service offers no list.
alter table receiver
  add column registrations jsonb not null default '{}',
  -- Somebody registers it until then: no second press, and no new address meanwhile.
  add column busy_until timestamptz,
  -- When what nobody could check was last checked again, with the secrets of then.
  add column rechecked_at timestamptz;
update receiver r set registrations = coalesce((
  select jsonb_object_agg(event, webhook_id) from receiver_secret s
   where s.seller_id = r.seller_id and s.mode = r.mode and ends_at is null
     and webhook_id is not null and event is not null), '{}')
 where registered_at is not null;

-- How much of each verdict came of late, without a look at the rows.
create index received_delivery_time on received_delivery (seller_id, mode, received_at)
  include (verdict);

-- Examples are verified and tell of nothing: their reason says so from now on.
alter table received_delivery disable trigger received_delivery_append_only;
update received_delivery set reason = 'example'
 where verdict = 'verified' and body ~ '"reason"\s*:\s*"example"';
alter table received_delivery enable trigger received_delivery_append_only;

-- When it was paid by the sender's own clock, which in a sandbox is not that of here; null where the
-- delivery does not say.
alter table proof add column said_at timestamptz;

create or replace function refuse_proof_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    -- With its seller, which is gone by then.
    if not exists (select 1 from seller where id = old.seller_id) then return old; end if;
  elsif old.amount is null and new.amount is not null
    and (new.id, new.seller_id, new.mode, new.received_delivery_id, new.subscription_id, new.at)
      = (old.id, old.seller_id, old.mode, old.received_delivery_id, old.subscription_id, old.at)
    and new.delivery_id is not distinct from old.delivery_id
    and new.said_at is not distinct from old.said_at
  then return new;
  end if;
  raise exception 'proof is append-only';
end
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
  insert into proof (seller_id, mode, received_delivery_id, delivery_id, subscription_id, at, said_at,
                     product_name, amount, currency, fee, net, known_by)
  values (new.seller_id, new.mode, new.id, new.delivery_id, new.subscription_id, new.received_at,
          moment, its_product, round(sum, 2), left(its_currency, 10), round(sum * 0.0199, 2),
          round(sum, 2) - round(sum * 0.0199, 2), known);
  return null;
end
$$;

-- Ids that the copy did not know when somebody came back with them; anybody can make one up.
alter table buyer_return add column is_known boolean not null default true;
update buyer_return b set is_known = exists (
  select 1 from mirror_subscription s
   where s.seller_id = b.seller_id and s.mode = b.mode and s.id = b.subscription_id);
create index buyer_return_unknown on buyer_return (seller_id) where not is_known;

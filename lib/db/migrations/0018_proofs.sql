-- A payment that a verified delivery told of; nothing else ever makes one. It outlives the connection.
create table proof (
  id bigint generated always as identity,
  seller_id uuid not null references seller on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  received_delivery_id bigint not null,
  -- What the sender calls it.
  delivery_id text,
  subscription_id text collate "C" not null,
  -- When the delivery came.
  at timestamptz not null,
  product_name text,
  amount numeric,
  currency text,
  fee numeric,
  net numeric,
  -- What the amount was taken from. subscription: as the copy had it when the delivery came. later: as it
  -- came into the copy afterwards. unknown: nobody has told it yet.
  known_by text not null check (known_by in ('delivery', 'subscription', 'later', 'unknown')),
  primary key (seller_id, mode, id),
  unique (seller_id, mode, received_delivery_id),
  -- Whoever deletes it meets with the refusal below.
  foreign key (seller_id, mode, received_delivery_id) references received_delivery
    on delete cascade,
  check ((amount is null) = (known_by = 'unknown'))
);
create index proof_time on proof (seller_id, mode, at desc, id desc);
create index proof_subscription on proof (seller_id, mode, subscription_id, id desc);
create index proof_unknown on proof (seller_id, mode, subscription_id) where amount is null;

-- Only an amount that nobody knew can be added, and only once.
create function refuse_proof_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    -- With its seller, which is gone by then.
    if not exists (select 1 from seller where id = old.seller_id) then return old; end if;
  elsif old.amount is null and new.amount is not null
    and (new.id, new.seller_id, new.mode, new.received_delivery_id, new.subscription_id, new.at)
      = (old.id, old.seller_id, old.mode, old.received_delivery_id, old.subscription_id, old.at)
    and new.delivery_id is not distinct from old.delivery_id
  then return new;
  end if;
  raise exception 'proof is append-only';
end
$$;
create trigger proof_append_only before update or delete on proof
  for each row execute function refuse_proof_change();

-- In the transaction that keeps the delivery, which tells every dashboard of it: neither is there without
-- the other.
create function keep_proof() returns trigger language plpgsql as $$
declare
  told jsonb;
  said text;
  sum numeric;
  its_currency text;
  its_product text;
  known text := 'unknown';
begin
  if new.subscription_id is null then return null; end if;
  begin
    told := ltrim(new.body, U&'\FEFF')::jsonb;
  exception when others then
    -- PostgreSQL reads less than JSON allows, such as a NUL; the delivery is a proof all the same.
    told := null;
  end;
  -- Made up, to try things out.
  if told ->> 'reason' = 'example' then return null; end if;
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
  insert into proof (seller_id, mode, received_delivery_id, delivery_id, subscription_id, at,
                     product_name, amount, currency, fee, net, known_by)
  values (new.seller_id, new.mode, new.id, new.delivery_id, new.subscription_id, new.received_at,
          its_product, round(sum, 2), left(its_currency, 10), round(sum * 0.0199, 2),
          round(sum, 2) - round(sum * 0.0199, 2), known);
  return null;
end
$$;
create trigger received_delivery_proves after insert on received_delivery
  for each row when (new.verdict = 'verified' and new.event = 'checkout.succeeded')
  execute function keep_proof();

-- A payment can come before its record was ever read.
create function complete_proofs() returns trigger language plpgsql as $$
begin
  update proof p
     set amount = round(a.price, 2), currency = left(nullif(a.currency, ''), 10),
         fee = round(a.price * 0.0199, 2), net = round(a.price, 2) - round(a.price * 0.0199, 2),
         product_name = a.product_name, known_by = 'later'
    from arrived a
   where p.amount is null and a.price is not null
     and p.seller_id = a.seller_id and p.mode = a.mode and p.subscription_id = a.id;
  return null;
end
$$;
create trigger mirror_subscription_completes after insert on mirror_subscription
  referencing new table as arrived
  for each statement execute function complete_proofs();

-- Deliveries that were kept before.
do $$
declare
  kept received_delivery;
begin
  for kept in select * from received_delivery
               where verdict = 'verified' and event = 'checkout.succeeded'
                 and subscription_id is not null order by id
  loop
    if kept.body is null or kept.body !~ '"reason"\s*:\s*"example"' then
      insert into proof (seller_id, mode, received_delivery_id, delivery_id, subscription_id, at,
                         known_by)
      values (kept.seller_id, kept.mode, kept.id, kept.delivery_id, kept.subscription_id,
              kept.received_at, 'unknown');
    end if;
  end loop;
end
$$;

-- Part of the address of the page that buyers come back to, where a seller has none of their own.
alter table seller add column return_token text not null unique
  default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');

-- That a buyer came back from the checkout, which proves nothing.
create table buyer_return (
  seller_id uuid not null references seller on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  subscription_id text collate "C" not null,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (seller_id, mode, subscription_id)
);

-- Whether the amount is the list price, since nobody could tell what the checkout asked for; null of rows from
-- before and where no amount is known.
alter table proof add column is_list_price boolean;

-- What the checkout asked for on the day of a moment; null where that period is not listed at that price.
create index mirror_product_steps on mirror_product
  using gin (seller_id, mode, price_steps jsonb_path_ops);
create function amount_asked(
  owner uuid, its_mode text, its_period text, its_price numeric, its_currency text, moment timestamptz
) returns numeric
  language sql stable as $$
  select a.amount from (
    select s.price::numeric, s.currency, s.amount::numeric
      from mirror_product p, jsonb_to_recordset(p.price_steps)
        as s(pbp_id text, price text, currency text, since text, amount text)
     where p.seller_id = owner and p.mode = its_mode
       and p.price_steps @> jsonb_build_array(jsonb_build_object('pbp_id', its_period))
       and s.pbp_id = its_period and s.amount is not null
       and (s.since is null
            or s.since <= (select to_char(day_of_seller(owner, moment), 'YYYY-MM-DD')))
     order by s.since desc nulls last limit 1) a
   where a.price = its_price and a.currency = its_currency
$$;

create or replace function complete_proofs() returns trigger language plpgsql as $$
begin
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

-- Finds for each payment that a record showed the delivery that told of it, or keeps it by itself. Beside
-- what writes the copy, never within it: an arrival holds the ledger and waits for the copy. A few at a time:
-- whoever calls it does so until it returns 0, and holds the ledger for one call.
create function keep_shown_payments(owner uuid, its_mode text) returns integer language plpgsql as $$
declare
  shown record;
  proving bigint;
  its_product text;
  asked numeric;
  sum numeric;
  settled integer := 0;
  kept text[] := '{}';
begin
  if not exists (select from mirror_change where seller_id = owner and mode = its_mode
                    and shows_payment and proof_id is null)
  then return 0; end if;
  perform lock_ledger(owner, its_mode);
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
       and case when shown.new_period_start is null then p.at >= shown.seen_at - interval '4 days'
             else coalesce(p.said_at, p.at) + interval '1 hour' >= shown.new_period_start end
     order by coalesce(p.said_at, p.at) desc limit 1;
    if proving is null then
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

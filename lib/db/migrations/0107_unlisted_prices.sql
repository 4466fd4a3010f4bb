-- What the billing periods of products asked that the service no longer lists: their subscribers pay the price
-- that they were sold. A period that is listed again is in mirror_product.
create table mirror_unlisted_price (
  seller_id uuid not null,
  mode text not null,
  id text collate "C" not null,
  price_steps jsonb not null,
  primary key (seller_id, mode, id)
);
create index mirror_unlisted_price_steps on mirror_unlisted_price
  using gin (seller_id, mode, price_steps jsonb_path_ops);

create function keep_unlisted_prices() returns trigger language plpgsql as $$
begin
  insert into mirror_unlisted_price as kept (seller_id, mode, id, price_steps)
  select seller_id, mode, id, price_steps from gone where price_steps <> '[]'
   order by seller_id, mode, id
  on conflict (seller_id, mode, id) do update set price_steps = excluded.price_steps || coalesce((
    select jsonb_agg(known) from jsonb_array_elements(kept.price_steps) as known
     where not excluded.price_steps @>
       jsonb_build_array(jsonb_build_object('pbp_id', known->'pbp_id'))), '[]');
  return null;
end
$$;
create trigger mirror_product_gone after delete on mirror_product
  referencing old table as gone for each statement execute function keep_unlisted_prices();

-- The prices last: deleted products leave theirs.
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
  delete from mirror_unlisted_price where seller_id = owner and mode = its_mode;
$$;

create or replace function amounts_asked(owner uuid, its_mode text, day date)
  returns table (pbp_id text, price numeric, currency text, amount numeric)
  language sql stable rows 300 as $$
  select distinct on (s.pbp_id) s.pbp_id, s.price::numeric, s.currency, s.amount::numeric
    from (select price_steps, true as is_listed from mirror_product
           where seller_id = owner and mode = its_mode
          union all
          select price_steps, false from mirror_unlisted_price
           where seller_id = owner and mode = its_mode) p,
      jsonb_to_recordset(p.price_steps)
        as s(pbp_id text, price text, currency text, since text, amount text)
   where (s.since is null or s.since <= to_char(day, 'YYYY-MM-DD'))
     and s.amount is not null
   order by s.pbp_id, p.is_listed desc, s.since desc nulls last
$$;

create or replace function amount_asked(
  owner uuid, its_mode text, its_period text, its_price numeric, its_currency text, moment timestamptz
) returns numeric
  language sql stable as $$
  select a.amount from (
    select s.price::numeric, s.currency, s.amount::numeric
      from (select price_steps, true as is_listed from mirror_product
             where seller_id = owner and mode = its_mode
               and price_steps @> jsonb_build_array(jsonb_build_object('pbp_id', its_period))
            union all
            select price_steps, false from mirror_unlisted_price
             where seller_id = owner and mode = its_mode
               and price_steps @> jsonb_build_array(jsonb_build_object('pbp_id', its_period))) p,
        jsonb_to_recordset(p.price_steps)
          as s(pbp_id text, price text, currency text, since text, amount text)
     where s.pbp_id = its_period and s.amount is not null
       and (s.since is null
            or s.since <= (select to_char(day_of_seller(owner, moment), 'YYYY-MM-DD')))
     order by p.is_listed desc, s.since desc nulls last limit 1) a
   where a.price = its_price and a.currency = its_currency
$$;

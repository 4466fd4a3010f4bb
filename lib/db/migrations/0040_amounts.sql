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

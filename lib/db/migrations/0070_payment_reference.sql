-- What the delivery that told of a payment says of it: the service's own id, which the buyer's receipt begins
-- with, how it was paid, and the tax inside the amount. Read once, before the delivery is forgotten; a service
-- that says none leaves them empty.
alter table proof add column payment_id text, add column method text, add column vat numeric;

create function name_payment() returns trigger language plpgsql as $$
declare
  kept text;
  told jsonb;
  said text;
begin
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
create trigger proof_payment before insert or update of received_delivery_id on proof
  for each row when (new.received_delivery_id is not null) execute function name_payment();

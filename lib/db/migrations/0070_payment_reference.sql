-- The service's own id of a payment, which the buyer's receipt begins with: read once from the delivery that
-- told of it, before that is forgotten. A service that says none leaves it empty.
alter table proof add column payment_id text;

create function name_payment() returns trigger language plpgsql as $$
begin
  select lower(substring(d.body from '"payment_id"\s*:\s*"([0-9A-Za-z_-]{8,64})"')) into new.payment_id
    from received_delivery d
   where d.seller_id = new.seller_id and d.mode = new.mode and d.id = new.received_delivery_id;
  return new;
end
$$;
create trigger proof_payment before insert or update of received_delivery_id on proof
  for each row when (new.received_delivery_id is not null) execute function name_payment();

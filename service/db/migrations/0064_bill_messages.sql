-- ADR 0181. Bills of which buyers are told by the seller's channels for messages.
-- Whether buyers are sent each bill that is issued from now on.
alter table seller add column sends_bills boolean not null default false;

-- Bills whose message is not queued yet.
create table bill_to_send (
  bill_id uuid primary key references bill,
  seller_id bigint not null references seller
);
create index on bill_to_send (seller_id);

create function send_new_bill() returns trigger language plpgsql as $$
begin
  insert into bill_to_send (bill_id, seller_id)
  select new.bill_id, new.seller_id from seller where seller_id = new.seller_id and sends_bills;
  return null;
end $$;
-- A sandbox account that is put back sends nothing again.
create trigger send_bill after insert on bill for each row
  when (current_setting('duebook.changes', true) is distinct from 'off')
  execute function send_new_bill();

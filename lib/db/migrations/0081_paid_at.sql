-- When it was paid, as far as anybody said it: the sender's clock, unless that runs ahead of its own arrival. What
-- the record alone shows was paid shortly before it was seen; its period may have begun long before that.
alter table proof add column paid_at timestamptz not null generated always as (
  case when received_delivery_id is null then at else least(at, said_at) end) stored;
create index proof_paid on proof (seller_id, mode, paid_at desc, id desc);
drop index proof_time;

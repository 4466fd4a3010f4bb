-- ADR 0053. An attempt is written beside its delivery's row: the reference cost a second look at it.
alter table delivery_attempt drop constraint delivery_attempt_delivery_id_fkey;

-- The few that others of their subscription may wait for.
create index delivery_retried on delivery (subscription_id, delivery_id)
  where state = 'pending' and first_attempt_at is not null;

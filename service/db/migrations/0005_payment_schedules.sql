-- A reschedule begins a new schedule of billing dates. Within one they only rise, so that a date is
-- paid for once; after a reschedule the same date can be billed again.
alter table subscription add column schedule integer not null default 1;
alter table payment add column schedule integer not null default 1;
alter table payment drop constraint payment_subscription_id_period_start_key;
alter table payment add constraint one_payment_per_period
  unique (subscription_id, schedule, period_start);

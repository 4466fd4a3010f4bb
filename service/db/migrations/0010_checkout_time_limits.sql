-- When its provider gives up, on the seller's clock: a payment that nobody answers ends then.
alter table checkout_attempt add column provider_expires_at timestamptz;
alter table sandbox_charge
  add column expires_at timestamptz,
  drop constraint sandbox_charge_choice_check,
  add check (choice in
    ('approve', 'decline', 'insufficient_balance', 'time_out', 'abandon', 'expired'));
update sandbox_charge c
set expires_at =
  a.created_at + s.clock_offset_ms * interval '1 millisecond' + interval '30 minutes'
from checkout_attempt a join seller s using (seller_id) where a.attempt_id = c.attempt_id;
alter table sandbox_charge alter column expires_at set not null;
update checkout_attempt a set provider_expires_at = c.expires_at
from sandbox_charge c where c.attempt_id = a.attempt_id;
create index checkout_attempt_expiry on checkout_attempt (seller_id, provider_expires_at)
  where state = 'pending';

-- For sellers whose clocks are ahead; what was abandoned once is in neither index.
create index checkout_idle_by_seller
  on subscription (seller_id, (coalesce(checkout_activity_at, created_at)))
  where status = 'pending_checkout' and abandoned_at is null;

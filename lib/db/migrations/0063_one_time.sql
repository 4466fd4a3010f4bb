-- What is a one-time purchase, beside isOneTimePurchase (lib/subscriptions/rules.ts): paid without any
-- date, however its period is listed; or of a period that is listed as one, paid or not.
create function is_one_time(
  status text, period_start timestamptz, period_end timestamptz, next_billing timestamptz, interval_type text
) returns boolean
  language sql immutable parallel safe
  return coalesce(interval_type = 'one_time', false)
    or status = 'active' and period_start is null and period_end is null and next_billing is null;

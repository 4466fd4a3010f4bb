-- What the service said it has beside /api/v1/; the counterpart of absent_doors. Another key, and
-- trying the key, begin anew.
alter table billing_connection add column offered_extensions text[] not null default '{}';

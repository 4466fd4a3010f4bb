-- Addresses beside /api/v1/ that the service was asked for and does not have, each with the moment of
-- the answer. Another key, and trying the key, begin anew.
alter table billing_connection add column absent_doors jsonb not null default '{}';

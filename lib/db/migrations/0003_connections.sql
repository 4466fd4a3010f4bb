-- What the service last said of the key, and since when; the moments are kept to the minute.
alter table billing_connection
  add column state text not null default 'good'
    check (state in ('good', 'unverified', 'refused')),
  add column state_since timestamptz not null default now(),
  add column last_success_at timestamptz,
  add column last_refusal_at timestamptz,
  -- When everything that a seller sets up once was seen done; then it is not asked for again.
  add column went_live_at timestamptz;

-- Rows that the encryption key in use did not seal, for the change of that key.
create index billing_connection_key on billing_connection (key_id, seller_id, mode);

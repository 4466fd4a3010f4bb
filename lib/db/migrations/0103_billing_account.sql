-- The seller's own account at the billing service, where this installation opened it. Apart from the connection,
-- which another key can replace.
create table billing_account (
  seller_id uuid not null references seller on delete cascade,
  mode text not null check (mode in ('live', 'test')),
  -- The account token.
  sealed_key bytea not null,
  key_id text not null,
  -- The service's number of the account, and of the API key that the dashboard made for itself.
  account_id bigint not null,
  api_key_id bigint,
  opened_at timestamptz not null default now(),
  primary key (seller_id, mode)
);

-- How amounts are written: the words are read by lib/format.ts.
alter table seller add column currency text not null default 'NPR' check (currency ~ '^[A-Z]{3}$');
alter table seller add column amount_style text not null default 'code'
  check (amount_style in ('code', 'code_lakh', 'symbol', 'symbol_lakh'));
-- Where buyers land after the checkout, unless a subscription says otherwise.
alter table seller add column return_url text;

-- Only the SHA-256 of the link's secret: a copy of this table invites nobody.
create table invitation (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  seller_id uuid not null references seller on delete cascade,
  -- Ownership is handed over to a member; no link carries it.
  role text not null check (role in ('admin', 'support', 'viewer')),
  for_whom text,
  invited_by uuid references app_user on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid references app_user on delete set null,
  revoked_at timestamptz
);
create index invitation_of_seller on invitation (seller_id, created_at);
create index invitation_by_person on invitation (invited_by);

-- ADR 0230. The account API: what a key may do and until when, and the account's own credential.

alter table api_key
  add column kind text not null default 'api_key' check (kind in ('api_key', 'account_token')),
  add column name text not null default '',
  -- Of API keys; an account token has none and opens the whole account API.
  add column scopes text[] not null default '{read,write}'
    check (scopes <@ '{read,write,account}'),
  -- Null: never. While another key replaces this one, the end of the overlap.
  add column expires_at timestamptz,
  add column last_used_at timestamptz,
  add column last_used_address text;
create index on api_key (seller_id, key_id);

-- A version is new after each change, also after a saved state was restored: never a number that
-- an earlier reader could hold.
alter table seller
  add column return_url text,
  add column version uuid not null default gen_random_uuid();
alter table product add column version uuid not null default gen_random_uuid();

-- The page on which buyers of a seller see what is theirs (ADR 0060).
-- The part of its address that names the seller; no secret.
alter table seller add column page_key text not null unique
  default substr(replace(gen_random_uuid()::text, '-', ''), 1, 12);

-- In what language a buyer wants to be written to; null for that of the last message.
alter table customer add column if not exists language text;

-- A request for a code, also by whom the seller does not know; with the right code, a session.
create table buyer_sign_in (
  sign_in_id uuid primary key,
  seller_id bigint not null references seller on delete cascade,
  -- What the code proves, one of both: the number as buyers are matched, or the address in lower case.
  phone_key text not null,
  email text not null,
  code_hash bytea not null,
  wrong_codes smallint not null default 0,
  state text not null default 'open' check (state in ('open', 'spent', 'done', 'ended')),
  created_at timestamptz not null,
  -- Of the code; of the session once it is done.
  expires_at timestamptz not null,
  check ((phone_key = '') <> (email = ''))
);
create index on buyer_sign_in (seller_id, created_at);
create index subscription_by_email on subscription (seller_id, lower(email));

-- Whoever comes through an OpenID Connect provider may have none.
alter table app_user alter column password_hash drop not null;

-- Tries at something that can be guessed. The key is an HMAC: it tells no email and no address.
create table attempt (
  id bigint generated always as identity primary key,
  key bytea not null,
  at timestamptz not null
);
create index attempt_key on attempt (key, at);
create index attempt_at on attempt (at);

-- Ids below are the SHA-256 of what the browser or the link carries: a copy of the tables opens nothing.

-- A browser that somebody signed in with before: what others try counts against them, not against it.
create table known_device (
  id bytea not null check (octet_length(id) = 32),
  user_id uuid not null references app_user on delete cascade,
  used_at timestamptz not null,
  primary key (id, user_id)
);
create index known_device_user on known_device (user_id);

-- The password was right, the code is still to come.
create table sign_in_challenge (
  id bytea primary key check (octet_length(id) = 32),
  user_id uuid not null references app_user on delete cascade,
  expires_at timestamptz not null
);

create table second_factor (
  user_id uuid primary key references app_user on delete cascade,
  sealed_secret bytea not null,
  key_id text not null,
  -- Null while it is being set up: it is not asked for before.
  confirmed_at timestamptz,
  -- The last 30 seconds whose code was taken: a code works once.
  last_step bigint not null default 0
);

create table recovery_code (
  user_id uuid not null references app_user on delete cascade,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (user_id, hash)
);

create table password_reset (
  id bytea primary key check (octet_length(id) = 32),
  user_id uuid not null references app_user on delete cascade,
  expires_at timestamptz not null
);

create table external_identity (
  issuer text not null,
  subject text not null,
  user_id uuid not null references app_user on delete cascade,
  email text,
  linked_at timestamptz not null,
  primary key (issuer, subject)
);
create index external_identity_user on external_identity (user_id);

-- Until when this session may link an account of the provider.
alter table session add column linking_until timestamptz;

-- What was done to an account, as its owner sees it. No foreign key: it outlives the account.
create table account_event (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  user_id uuid not null,
  kind text not null,
  address text
);
create index account_event_user on account_event (user_id, id desc);

create function refuse_account_event_change() returns trigger language plpgsql as $$
begin
  raise exception 'account_event is append-only';
end
$$;
create trigger account_event_append_only
  before update or delete or truncate on account_event
  for each statement execute function refuse_account_event_change();

create table app_user (
  id uuid primary key default gen_random_uuid(),
  email text not null check (email = btrim(email) and email <> ''),
  name text not null,
  password_hash text not null,
  created_at timestamptz not null default now()
);
create unique index app_user_email on app_user (lower(email));

create table seller (
  id uuid primary key default gen_random_uuid(),
  name text not null check (name <> ''),
  time_zone text not null,
  created_at timestamptz not null default now()
);

create table membership (
  user_id uuid not null references app_user on delete cascade,
  seller_id uuid not null references seller on delete cascade,
  role text not null check (role in ('owner', 'admin', 'support', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (user_id, seller_id)
);
create index membership_seller on membership (seller_id);

-- The id is the SHA-256 of what the cookie carries: a copy of this table opens no session.
create table session (
  id bytea primary key check (octet_length(id) = 32),
  user_id uuid not null,
  seller_id uuid not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- Whoever leaves a team loses the sessions with it.
  foreign key (user_id, seller_id) references membership on delete cascade
);
create index session_of_user on session (user_id, seller_id);
create index session_expiry on session (expires_at);

create table billing_connection (
  seller_id uuid not null references seller on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  sealed_key bytea not null,
  key_id text not null,
  last4 text not null,
  checkout_base_url text,
  set_at timestamptz not null default now(),
  set_by uuid references app_user on delete set null,
  primary key (seller_id, mode)
);

-- No foreign keys: the log outlives whom and what it names.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  seller_id uuid not null,
  user_id uuid not null,
  action text not null,
  subscription_id text,
  result text not null check (result in ('done', 'refused', 'failed', 'unknown')),
  detail jsonb not null default '{}'
);
create index audit_log_seller on audit_log (seller_id, id desc);
create index audit_log_subscription on audit_log (seller_id, subscription_id, id desc);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only';
end
$$;
create trigger audit_log_append_only
  before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();

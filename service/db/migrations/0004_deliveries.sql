-- Deliveries of events to registered endpoints: written by emit, worked off by the delivery worker.

-- Two secrets sign while one replaces the other; failing_since is null while deliveries succeed.
alter table webhook
  add column previous_sealed_secret bytea,
  add column previous_secret_until timestamptz,
  add column failing_since timestamptz,
  -- An address can be longer than an index takes.
  add column address_key uuid not null generated always as (md5(endpoint_url)::uuid) stored;
create index on webhook (seller_id, address_key);

create table delivery (
  delivery_id bigint generated always as identity primary key,
  seller_id bigint not null references seller,
  webhook_id bigint not null references webhook,
  -- Sent as webhook-id; no event has it where the delivery is an example.
  event_id uuid not null,
  event text not null,
  subscription_id uuid not null,
  -- Frozen: every attempt sends these bytes.
  body text not null check (octet_length(body) < 20000),
  state text not null default 'pending' check (state in
    ('pending', 'delivering', 'delivered', 'failed', 'skipped')),
  -- Attempts of the running schedule; a resend begins a new one.
  tries smallint not null default 0,
  -- Asked for by a person: it goes to a paused registration too, and waits for no other.
  by_hand boolean not null default false,
  -- Not before: the retry's moment or, while delivering, the end of the lease.
  next_at timestamptz not null default '-infinity',
  lease uuid,
  first_attempt_at timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index delivery_open on delivery (webhook_id, next_at, delivery_id)
  where state in ('pending', 'delivering');
create index delivery_failed on delivery (seller_id, delivery_id) where state = 'failed';
create index on delivery (seller_id, delivery_id);
create index on delivery (subscription_id, delivery_id);

create table delivery_attempt (
  attempt_id bigint generated always as identity primary key,
  delivery_id bigint not null references delivery,
  seller_id bigint not null references seller,
  endpoint_url text not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- As sent: with the id, the second of started_at and the body they can be verified again.
  signatures text not null,
  response_code smallint,
  response_body text,
  -- What went wrong, in words; null where it was delivered.
  error text
);
create index on delivery_attempt (delivery_id, attempt_id);

-- One process at a time works through an address, so that its limit and order hold.
create table delivery_endpoint (
  seller_id bigint not null references seller,
  address_key uuid not null,
  lease uuid,
  -- The end of the lease, of the rest that the endpoint asked for, or when it was served last.
  free_at timestamptz not null,
  primary key (seller_id, address_key)
) with (fillfactor = 60);

create table webhook_notice (
  notice_id bigint generated always as identity primary key,
  seller_id bigint not null references seller,
  webhook_id bigint not null references webhook,
  kind text not null check (kind in ('gone', 'failing')),
  message text not null,
  created_at timestamptz not null
);
create index on webhook_notice (seller_id, notice_id);

-- A new address, or one that is switched on again, starts with a clean slate.
create function forget_failures() returns trigger language plpgsql as $$
begin
  new.failing_since := null;
  return new;
end $$;
create trigger forget_failures before update of endpoint_url, is_active on webhook
  for each row when (old.endpoint_url <> new.endpoint_url or new.is_active and not old.is_active)
  execute function forget_failures();

-- Pausing stops the retries that are queued; whoever pauses, and by whatever statement.
create function skip_deliveries() returns trigger language plpgsql as $$
begin
  update delivery set state = 'skipped'
  where webhook_id = new.id and state = 'pending' and not by_hand;
  return null;
end $$;
create trigger skip_deliveries after update of is_active on webhook
  for each row when (old.is_active and not new.is_active)
  execute function skip_deliveries();

-- A moment as the API writes it.
create function wire_time(moment timestamptz) returns text language sql stable
  return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

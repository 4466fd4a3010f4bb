-- Where the service's webhooks come to. One a connection: it goes with it, and takes its secrets along.
create table receiver (
  seller_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  -- Part of the address. Whoever knows it can send, and nothing more: what counts is the signature.
  token text not null unique
    default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  -- How the sender signs, where that is not Standard Webhooks (SignatureScheme).
  scheme jsonb,
  -- When its registrations were last made or found at the service; null where nobody did.
  registered_at timestamptz,
  primary key (seller_id, mode),
  foreign key (seller_id, mode) references billing_connection on delete cascade
);

-- The address that webhooks were sent to before stays the same.
insert into receiver (seller_id, mode, token) select seller_id, mode, hint_token from mirror;
alter table mirror drop column hint_token;

create function begin_receiver() returns trigger language plpgsql as $$
begin
  insert into receiver (seller_id, mode) values (new.seller_id, new.mode) on conflict do nothing;
  return null;
end
$$;
create trigger receiver_with_connection after insert on billing_connection
  for each row execute function begin_receiver();

-- What signatures are checked with: one for each registration, two while one replaces the other.
create table receiver_secret (
  id bigint generated always as identity primary key,
  seller_id uuid not null,
  mode text not null,
  -- Sealed as API keys are.
  sealed_secret bytea not null,
  key_id text not null,
  -- The registration whose it is; null where somebody pasted it.
  webhook_id bigint,
  event text,
  added_at timestamptz not null default now(),
  -- From then on it opens nothing; null while it is in force.
  ends_at timestamptz,
  foreign key (seller_id, mode) references receiver on delete cascade
);
create index receiver_secret_owner on receiver_secret (seller_id, mode);
create index receiver_secret_key on receiver_secret (key_id, id);

-- Everything that came to the address, whatever it was. Append-only; it outlives the connection, as what
-- was verified is a proof.
create table received_delivery (
  id bigint generated always as identity,
  seller_id uuid not null references seller on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  -- What tells it apart, out of what is signed; null where nothing was.
  delivery_id text,
  received_at timestamptz not null default clock_timestamp(),
  -- verified: believed, and the first of its id. repeated: the same again. late: signed rightly, but not
  -- now. forged: signed wrongly. unverified: no secret to check it with. unreadable: nothing to act on.
  verdict text not null check (verdict in
    ('verified', 'repeated', 'late', 'forged', 'unverified', 'unreadable')),
  -- Why it is not 'verified'; null where it is.
  reason text,
  -- What its timestamp says.
  signed_at timestamptz,
  -- Those that the signature is about, cut short.
  headers jsonb not null default '{}',
  -- As it came; null where it was too long to keep, or no text.
  body text,
  event text,
  subscription_id text collate "C",
  old_status text,
  new_status text,
  primary key (seller_id, mode, id)
);
-- Two dashboards that receive one delivery at the same time keep one of them.
create unique index received_delivery_once on received_delivery (seller_id, mode, delivery_id)
  where verdict = 'verified';
create index received_delivery_subscription
  on received_delivery (seller_id, mode, subscription_id, id);
-- For the limit of what is kept of them, and of how many may come.
create index received_delivery_unproven on received_delivery (seller_id, mode, id desc)
  where verdict <> 'verified';
-- What is not kept for ever.
create index received_delivery_passing on received_delivery (seller_id, mode, received_at)
  where verdict <> 'verified' or event is distinct from 'checkout.succeeded';

create function refuse_received_change() returns trigger language plpgsql as $$
begin
  raise exception 'received_delivery is append-only';
end
$$;
create trigger received_delivery_append_only before update on received_delivery
  for each statement execute function refuse_received_change();

-- Until when somebody has read what happened.
create table notification_seen (
  user_id uuid not null,
  seller_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  seen_at timestamptz not null,
  primary key (user_id, seller_id, mode),
  foreign key (user_id, seller_id) references membership on delete cascade
);

-- Tells every listening dashboard, at the commit, that something of a seller's changed. Only ids are
-- told: whoever may see the records asks for them. PostgreSQL hands notices on in one order to all
-- listeners, so that a number names a place in it.
create sequence live_number;
create function notify_live(owner uuid, its_mode text, kind text, ids text[], more jsonb default '{}')
  returns bigint language plpgsql as $$
declare
  number bigint := nextval('live_number');
begin
  perform pg_notify('live', (jsonb_build_object(
    'number', number, 'seller_id', owner, 'mode', its_mode, 'kind', kind,
    -- Null when they are too many to name.
    'ids', case when cardinality(ids) <= 50 then to_jsonb(ids) end) || more)::text);
  return number;
end
$$;

create function tell_mirror_changes() returns trigger language plpgsql as $$
begin
  perform notify_live(seller_id, mode, 'change', array_agg(distinct subscription_id::text))
    from changed group by seller_id, mode;
  return null;
end
$$;
create trigger mirror_change_told after insert on mirror_change
  referencing new table as changed
  for each statement execute function tell_mirror_changes();

-- New rows of a copy that was full already; while it fills, nothing in it is new.
create function tell_mirror_arrivals() returns trigger language plpgsql as $$
begin
  perform notify_live(a.seller_id, a.mode, 'change', array_agg(a.id::text))
    from arrived a join mirror m on m.seller_id = a.seller_id and m.mode = a.mode
   where m.filled_at is not null group by a.seller_id, a.mode;
  return null;
end
$$;
create trigger mirror_subscription_told after insert on mirror_subscription
  referencing new table as arrived
  for each statement execute function tell_mirror_arrivals();

-- Messages that the service sends to buyers, by channels that the seller has set up.
create table message_channel (
  channel_id bigint generated always as identity primary key,
  seller_id bigint not null references seller on delete cascade,
  channel text not null check (channel in ('sms', 'whatsapp', 'email')),
  provider text not null,
  -- The provider's settings as JSON, encrypted like signing secrets.
  sealed_settings bytea not null,
  -- Approved templates, where the provider wants them: kind, language, name and its language.
  templates jsonb not null default '[]',
  is_active boolean not null default true,
  per_minute integer not null check (per_minute between 1 and 6000),
  -- The unguessable part of the address to which the provider posts its reports.
  report_key uuid not null default gen_random_uuid() unique,
  -- Why the provider refused the settings, until it accepts a message again.
  problem text,
  problem_at timestamptz,
  -- One process at a time sends the messages that can wait, so that the limit holds.
  lease uuid,
  free_at timestamptz not null default '-infinity',
  version uuid not null default gen_random_uuid(),
  created_at timestamptz not null,
  unique (seller_id, channel)
);

create table message (
  message_id uuid primary key,
  seller_id bigint not null references seller on delete cascade,
  -- Null once no channel is left.
  channel_id bigint references message_channel on delete set null,
  kind text not null check (kind in ('code', 'reminder', 'receipt', 'test')),
  -- Why it exists; nothing sends two messages for one cause.
  cause text not null,
  subscription_id uuid,
  phone text not null,
  email text not null,
  language text not null,
  subject text,
  -- Null before a text is written at sending, and after a code was sent.
  body text,
  -- What an approved template is filled with.
  parameters text[] not null default '{}',
  -- unknown: the request left and no answer came.
  state text not null default 'queued' check (state in ('queued', 'sending', 'accepted',
    'delivered', 'read', 'failed', 'unknown', 'expired', 'withdrawn')),
  tries smallint not null default 0,
  next_at timestamptz not null,
  -- Not sent from then on.
  expires_at timestamptz,
  -- When another process may conclude that the sender died.
  leased_until timestamptz,
  -- Channels that refused it.
  refused_by text[] not null default '{}',
  reference text,
  error_code text,
  error text,
  queued_at timestamptz not null,
  sent_at timestamptz,
  state_at timestamptz not null,
  unique (seller_id, cause)
);
create index message_code_due on message (next_at) where state = 'queued' and kind = 'code';
create index message_due on message (channel_id, next_at) where state = 'queued' and kind <> 'code';
create index message_sending on message (leased_until) where state = 'sending';
create index message_expiry on message (expires_at) where state = 'queued';
create index on message (channel_id, reference) where reference is not null;
create index on message (seller_id, queued_at desc, message_id);
create index on message (subscription_id, queued_at) where subscription_id is not null;
create index on message (queued_at);

-- A report can arrive before the answer that names the message.
create table message_report (
  channel_id bigint not null references message_channel on delete cascade,
  reference text not null,
  -- Our own name of it, where the provider repeats it.
  message_id uuid,
  state text not null check (state in ('accepted', 'delivered', 'read', 'failed')),
  error_code text,
  received_at timestamptz not null,
  primary key (channel_id, reference, state)
);

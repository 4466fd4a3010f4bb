-- What a member is told outside the desk; without rows nothing. Gone with the membership.
create table notice_setting (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  seller_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  -- In the seller's time zone.
  morning_at time not null,
  -- Whether a push may name buyers.
  shows_names boolean not null default false,
  unique (user_id, seller_id, mode),
  foreign key (user_id, seller_id) references membership on delete cascade
);
create index notice_setting_seller on notice_setting (seller_id, mode);

-- A kind of notice that is on, by one way. Events before `since` are not told.
create table notice_choice (
  setting_id uuid not null references notice_setting on delete cascade,
  way text not null check (way in ('mail', 'push')),
  kind text not null,
  since timestamptz not null default now(),
  primary key (setting_id, way, kind)
);

-- One row a person, way and event: what was told once is not told again. `sending` after the process has ended
-- means that nobody knows whether it left; it is not repeated.
create table notice (
  id bigint generated always as identity primary key,
  setting_id uuid not null references notice_setting on delete cascade,
  way text not null check (way in ('mail', 'push')),
  kind text not null,
  event text not null,
  subscription_id text,
  -- What the notice says of an endpoint or channel.
  subject text,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  -- Not sent after this.
  ends_at timestamptz not null,
  attempts integer not null default 0,
  state text not null default 'queued'
    check (state in ('queued', 'sending', 'sent', 'dropped', 'failed', 'unknown')),
  unique (setting_id, way, event)
);
create index notice_queued on notice (setting_id, due_at) where state = 'queued';

-- When a seller's events are read next, and which of its channels failed then.
create table notice_look (
  seller_id uuid not null references seller on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  next_at timestamptz not null default now(),
  failing text[] not null default '{}',
  primary key (seller_id, mode)
);

-- A browser that gets a person's pushes, by its push service (RFC 8030, 8291).
create table push_browser (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references app_user on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  -- The installation's key that it was made for; another one cannot push to it.
  key_id text not null,
  user_agent text,
  created_at timestamptz not null default now()
);
create index push_browser_user on push_browser (user_id);

-- Who changes a password may want to lock out whoever added a browser.
create function forget_push_browsers() returns trigger language plpgsql as $$
begin
  delete from push_browser where user_id = new.id;
  return null;
end
$$;
create trigger push_browsers_forgotten after update of password_hash on app_user
  for each row when (old.password_hash is distinct from new.password_hash)
  execute function forget_push_browsers();

-- A list of subscriptions that somebody gave a name to.
create table saved_view (
  id uuid primary key default gen_random_uuid(),
  seller_id uuid not null references seller on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  -- Whose it is, and gone with their membership; null for everybody's of this seller and mode.
  user_id uuid,
  name text not null check (char_length(name) between 1 and 60),
  -- Filters and order as they stand in an address.
  query text not null,
  -- What is searched for can be anybody's name or number: it is kept here and in no address.
  words text not null,
  position integer not null,
  foreign key (user_id, seller_id) references membership on delete cascade
);
create unique index saved_view_name
  on saved_view (seller_id, mode, coalesce(user_id, seller_id), lower(name));

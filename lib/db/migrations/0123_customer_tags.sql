-- The short names by which a seller sorts customers. Another spelling of a name in case or form is the same tag.
create table tag (
  id bigint generated always as identity primary key,
  seller_id uuid not null references seller on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  name text not null check (length(name) between 1 and 40),
  name_key text collate "C" not null,
  unique (seller_id, mode, name_key),
  unique (seller_id, mode, id)
);

-- By the key of the customer's phone, because a subscription names no customer: one row for each spelling of the
-- number (phoneSpellings), so that whichever one a record has finds it.
create table customer_tag (
  seller_id uuid not null,
  mode text not null,
  tag_id bigint not null,
  phone_key text collate "C" not null,
  -- Of each customer one row, to count them.
  is_first boolean not null,
  primary key (seller_id, mode, tag_id, phone_key),
  foreign key (seller_id, mode, tag_id) references tag (seller_id, mode, id) on delete cascade
);
create index customer_tag_phone on customer_tag (seller_id, mode, phone_key);
-- A tag is of one seller and mode: taken one by one they would be taken for rarer than they are.
create statistics customer_tag_owner (dependencies, mcv) on seller_id, mode, tag_id from customer_tag;

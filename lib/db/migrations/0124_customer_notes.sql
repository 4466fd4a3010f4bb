-- What members note of a customer, who is known by the key of their phone.
create table customer_note (
  id bigint generated always as identity primary key,
  seller_id uuid not null references seller on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  phone_key text collate "C" not null,
  text text not null check (length(text) between 1 and 2000),
  -- The member as they were then: the note outlives their account.
  person_id uuid not null,
  person_name text not null,
  at timestamptz not null default clock_timestamp(),
  -- What the list of customers finds it by, as in mirror_customer.
  words tsvector not null
);
create index customer_note_phone on customer_note (seller_id, mode, phone_key, id);
create index customer_note_words on customer_note using gin (words);

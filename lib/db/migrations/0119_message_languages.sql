-- Languages beside English and Nepali in which a seller writes to buyers. The name is the language's own.
create table seller_language (
  seller_id uuid not null references seller on delete cascade,
  code text not null check (code ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$' and char_length(code) <= 20
    and code not in ('en', 'ne')),
  name text not null check (char_length(name) between 1 and 60),
  primary key (seller_id, code)
);
alter table reminder_text drop constraint reminder_text_language_check;
alter table contact drop constraint contact_language_check;

-- The language that a member chose for a buyer's messages. A subscription names its buyer by the phone.
create table buyer_language (
  seller_id uuid not null references seller on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  phone_key text not null check (phone_key <> ''),
  language text not null,
  primary key (seller_id, mode, phone_key)
);

-- ADR 0060. Whether the account's provider has buyers sign in, so that no code is asked for.
alter table payment_account add column identifies_buyer boolean not null default false;

-- ADR 0240. How many messages of a seller, codes left out, began to be sent in an hour.
create table message_hour (
  seller_id bigint primary key references seller on delete cascade,
  hour timestamptz not null,
  begun integer not null
);

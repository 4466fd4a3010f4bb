-- The seller's name in addresses: tells nothing, and stays when the seller is renamed.
alter table seller add column code text not null unique
  default substr(replace(gen_random_uuid()::text, '-', ''), 1, 10);

-- A session is a person's. Which seller it looks at is in the address; the last one is kept for "/".
alter table session drop constraint session_user_id_seller_id_fkey;
alter table session alter column seller_id drop not null;
alter table session add column mode text check (mode in ('test', 'live'));
alter table session add foreign key (user_id) references app_user on delete cascade;
alter table session add foreign key (seller_id) references seller on delete set null;

-- What the list of somebody's sessions shows.
alter table session add column user_agent text;
alter table session add column address text;

alter table audit_log add column mode text check (mode in ('test', 'live'));
alter table audit_log add column address text;

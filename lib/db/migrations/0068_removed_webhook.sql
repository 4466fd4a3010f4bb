-- Registrations that somebody removed: the interface deletes none, so each is paused at the service and
-- left out here for as long as it stays so. With its address, as a hash: the key of another account may
-- bring the same id for something else.
create table removed_webhook (
  seller_id uuid not null references seller on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  webhook_id bigint not null,
  address_hash bytea not null,
  removed_at timestamptz not null default now(),
  primary key (seller_id, mode, webhook_id)
);

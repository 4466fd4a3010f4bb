-- When it was queued by the database's own clock: a sandbox seller's created_at may lie ahead of it.
alter table delivery add column queued_at timestamptz not null default now();

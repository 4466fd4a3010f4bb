-- The contract lists the events (contract/names.ts); a new kind needs no migration.
alter table webhook
  drop constraint webhook_event_check,
  add constraint webhook_event_check check (event ~ '^[a-z]+\.[a-z_]+$');

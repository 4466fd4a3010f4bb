-- Nothing reads or writes the events that were kept for comparing; the receiver keeps its deliveries.
create or replace function forget_compared() returns trigger language plpgsql as $$
begin
  delete from reconciliation where seller_id = new.seller_id and mode = new.mode;
  return new;
end
$$;
drop table mirror_event;

drop view search_index;
create view search_index as
  select seller_id, mode, copy as index_version, filled_at, read_at, history_from, error, wait_until,
         claimed_until, due_at
    from mirror;
alter table mirror drop column events_since;

-- Products are now found by their descriptions, types and plans: the next full sync writes these words.
update mirror set round_wanted_at = now(), due_at = now();

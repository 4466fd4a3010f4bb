#!/bin/sh
# Runs on a replica before Patroni promotes it. Creates the replication slots of the other machines, so that they can
# follow the new primary at once. Patroni creates these slots a second or two after the promotion, and until then
# every commit waits for a replica. Always succeeds, because Patroni promotes no replica whose script has failed.
PGPASSWORD="$REPLICA_PASSWORD" PGCONNECT_TIMEOUT=2 PGOPTIONS="-c statement_timeout=2s" \
  psql -q -o /dev/null -U replica -d postgres -v name="$ETCD_NAME" -v cluster="$ETCD_INITIAL_CLUSTER" <<'SQL'
select pg_create_physical_replication_slot(slot, true)
  from unnest(string_to_array(:'cluster', ',')) as member,
       split_part(member, '=', 1) as name,
       translate(lower(name), '-. ', '___') as slot
 where name <> :'name' and not exists (select from pg_replication_slots where slot_name = slot);
SQL
exit 0

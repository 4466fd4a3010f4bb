#!/bin/sh
# A copy of the primary that follows it. Reads go there by setting; it takes the primary's place by hand
# (pg_promote, then the name `postgres` in deploy/pgbouncer.ini).
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  PGPASSWORD="$(cat /run/secrets/replica_password)"
  export PGPASSWORD
  pg_basebackup -h postgres -U replica -D "$PGDATA" -R -X stream -C -S replica
  chmod 700 "$PGDATA"
fi
# Whoever writes a large file out of it must not have the rows tidied away meanwhile.
exec postgres "$@" -c hot_standby=on -c hot_standby_feedback=on

#!/bin/sh
# A streaming replica of the primary, for reads (DATABASE_REPLICA_URL). It is promoted by hand
# (pg_promote, then the name `postgres` in deploy/pgbouncer.ini).
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  PGPASSWORD="$(cat /run/secrets/replica_password)"
  export PGPASSWORD
  pg_basebackup -h postgres -U replica -D "$PGDATA" -R -X stream -C -S replica
  chmod 700 "$PGDATA"
fi
# A long export must not lose its rows to vacuum.
exec postgres "$@" -c hot_standby=on -c hot_standby_feedback=on

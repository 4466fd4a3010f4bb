#!/bin/sh
# restore.sh '2026-11-27 09:30:00+00' fills this machine's empty data folder with both databases as they were then.
# Patroni must be stopped on all three machines (docs/deploy.md says what to do before and after).
set -eu
data=$PGBACKREST_PG1_PATH
control() { "$PATRONI_POSTGRESQL_BIN_DIR/pg_ctl" -D "$data" "$@"; }
pgbackrest --type=time --target="$1" --target-action=promote restore
# Nobody can connect while the WAL is applied. No replica is there, so no commit may wait for one.
control -w -t 600 -l "$data/restore.log" \
  -o "-c listen_addresses= -c hot_standby=off -c synchronous_standby_names=" start
until "$PATRONI_POSTGRESQL_BIN_DIR/pg_controldata" "$data" | grep -q "state: *in production"; do
  control status >/dev/null || { tail -n 5 "$data/restore.log"; exit 1; }
  sleep 1
done
control -w -t 600 stop
rm "$data/restore.log"
echo "Restored to $1."

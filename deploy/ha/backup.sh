#!/bin/sh
# Makes a base backup of both databases if this machine is the primary, in full on Sundays and the first time, else of
# what changed since. What is older than machine.env says is removed, with its WAL.
set -eu
curl -fs -o /dev/null "http://$PATRONI_RESTAPI_CONNECT_ADDRESS/primary" || exit 0
export PGPASSWORD="$PATRONI_SUPERUSER_PASSWORD"
pgbackrest stanza-create
if [ "$(date +%u)" = 7 ]; then type=full; else type=diff; fi
# A primary whose archive is behind has ten minutes to catch up.
exec pgbackrest --type="$type" --archive-timeout=600 backup

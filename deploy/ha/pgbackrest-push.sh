#!/bin/sh
# pgbackrest-push.sh <path> adds one file of WAL to the archive, as PostgreSQL's archive_command (pgBackRest refuses one
# without "pgbackrest" in it). After a failover two machines can hold different ends of a timeline that is over. The
# archive keeps the one that came first. No restore needs the other: the next timeline begins with a copy of what both
# have in common. It counts as archived, because PostgreSQL archives in order, and would never come to later WAL.
pgbackrest archive-push "$1"
code=$?
# 45: the archive has a file of this name with other content.
[ $code = 45 ] || exit $code
timeline=$(basename "$1" | cut -c 1-8)
newest=$(cd "$(dirname "$1")" && ls | grep -E '^[0-9A-F]{8}\.history$' | sort | tail -n 1)
# On the current timeline this is a fault, which a person must look at.
[ "$timeline" \< "$newest" ] && [ "$timeline.history" != "$newest" ] || exit $code

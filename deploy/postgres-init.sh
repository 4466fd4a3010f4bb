#!/bin/sh
# Runs once, in an empty primary. Creates for each program a database, its owner and the role that the
# program uses (scripts/migrate.ts grants its rights), and a role for the replica. Passwords are files (compose.yaml)
# or in the environment (deploy/ha). Patroni gives the connection as the argument, and keeps pg_hba.conf itself.
set -eu
secret() { printenv "$(echo "$1" | tr a-z A-Z)" || cat "/run/secrets/$1"; }
psql -v ON_ERROR_STOP=1 -d "${1:-postgresql://postgres@/postgres}" \
  -v dashboard="$(secret dashboard_password)" \
  -v dashboard_owner="$(secret dashboard_owner_password)" \
  -v service="$(secret service_password)" \
  -v service_owner="$(secret service_owner_password)" \
  -v replica="$(secret replica_password)" <<'SQL'
create role dashboard login password :'dashboard';
create role dashboard_owner login password :'dashboard_owner';
create role service login password :'service';
create role service_owner login password :'service_owner';
create role replica replication login password :'replica';
create database dashboard owner dashboard_owner;
create database service owner service_owner;
revoke all on database dashboard, service from public;
grant connect on database dashboard to dashboard;
grant connect on database service to service;
-- What the programs ask for when they connect, and what PgBouncer does not pass on.
alter role dashboard set timezone = 'UTC';
alter role dashboard set random_page_cost = 1.1;
alter role dashboard set jit = off;
alter role dashboard set statement_timeout = '10s';
alter role dashboard set lock_timeout = '5s';
alter role service set timezone = 'UTC';
alter role service set plan_cache_mode = 'force_generic_plan';
alter role service set jit = off;
alter role service set statement_timeout = '10s';
alter role service set lock_timeout = '5s';
alter role service set idle_in_transaction_session_timeout = '20s';
SQL
[ $# -gt 0 ] || echo "host replication replica all scram-sha-256" >>"$PGDATA/pg_hba.conf"

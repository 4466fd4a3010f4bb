#!/bin/sh
# Runs once, in an empty primary: a role and a database for each program, and one for the replica.
set -eu
secret() { cat "/run/secrets/$1"; }
psql -v ON_ERROR_STOP=1 -U postgres \
  -v dashboard="$(secret dashboard_password)" \
  -v service="$(secret service_password)" \
  -v replica="$(secret replica_password)" <<'SQL'
create role dashboard login password :'dashboard';
create role service login password :'service';
create role replica replication login password :'replica';
create database dashboard owner dashboard;
create database service owner service;
revoke connect on database dashboard, service from public;
-- What the programs ask for when they connect, and what PgBouncer does not pass on.
alter role dashboard set timezone = 'UTC';
alter role dashboard set random_page_cost = 1.1;
alter role dashboard set statement_timeout = '10s';
alter role service set timezone = 'UTC';
alter role service set plan_cache_mode = 'force_generic_plan';
alter role service set statement_timeout = '10s';
alter role service set lock_timeout = '5s';
alter role service set idle_in_transaction_session_timeout = '20s';
SQL
echo "host replication replica all scram-sha-256" >>"$PGDATA/pg_hba.conf"

#!/bin/sh
# Writes every secret that compose.yaml names, once; what is there stays. Needs openssl alone.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
cd secrets
# The folder is its owner's alone; the files within are mounted as they are, for the containers' users.
chmod 700 .
make() { [ -s "$1" ] || openssl rand "-$2" "$3" | tr -d '\n' >"$1"; }
for name in postgres_password dashboard_password dashboard_owner_password service_password service_owner_password \
  replica_password metrics_token; do make "$name" hex 24; done
for name in nextauth_secret api_key_encryption_key service_secrets_key; do make "$name" base64 32; done
# Not needed: empty, they count as not set.
for name in api_key_encryption_key_old service_secrets_key_old smtp_url oidc_client_secret; do
  [ -e "$name" ] || : >"$name"
done
for name in dashboard service; do
  printf 'postgresql://%s:%s@pgbouncer:6432/%s' "$name" "$(cat ${name}_password)" "$name" >"${name}_url"
  printf 'postgresql://%s:%s@postgres:5432/%s' "$name" "$(cat ${name}_password)" "$name" >"${name}_direct_url"
  printf 'postgresql://%s_owner:%s@postgres:5432/%s' "$name" "$(cat ${name}_owner_password)" "$name" >"${name}_owner_url"
done
printf 'postgresql://dashboard:%s@replica:5432/dashboard' "$(cat dashboard_password)" >dashboard_replica_url
printf '"dashboard" "%s"\n"service" "%s"\n' "$(cat dashboard_password)" "$(cat service_password)" >pgbouncer_users
if [ ! -s tls_key ]; then
  # For trying it out: browsers warn of it. Put a certificate of yours in its place.
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=localhost \
    -addext "subjectAltName=DNS:localhost,DNS:billing.localhost" -keyout tls_key -out tls_certificate 2>/dev/null
fi
chmod 644 ./*
echo "deploy/secrets is ready: $(ls | wc -l) files."

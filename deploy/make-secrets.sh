#!/bin/sh
# Generates every secret that compose.yaml names, and keeps existing ones. Needs only openssl.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
cd secrets
# Only the owner may enter the folder; its files are mounted into the containers with their modes.
chmod 700 .
make() { [ -s "$1" ] || openssl rand "-$2" "$3" | tr -d '\n' >"$1"; }
for name in postgres_password dashboard_password dashboard_owner_password service_password service_owner_password \
  replica_password accounts_token metrics_token; do make "$name" hex 24; done
for name in nextauth_secret api_key_encryption_key web_push_key service_secrets_key; do make "$name" base64 32; done
# Optional: an empty file counts as not set.
for name in api_key_encryption_key_old service_secrets_key_old smtp_url oidc_client_secret \
  live_accounts_token messages_token operator_token; do
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
  # For a trial: browsers warn of it. Replace it with your own certificate.
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=localhost \
    -addext "subjectAltName=DNS:localhost,DNS:billing.localhost" -keyout tls_key -out tls_certificate 2>/dev/null
fi
chmod 644 ./*
echo "deploy/secrets is ready: $(ls | wc -l) files."

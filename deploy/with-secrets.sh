#!/bin/sh
# Sets NAME from NAME_FILE=/run/secrets/name, so that the container's description holds no secret.
set -eu
for name in $(env | sed -n 's/^\([A-Z][A-Z0-9_]*\)_FILE=.*/\1/p'); do
  eval "file=\${${name}_FILE}"
  export "$name=$(cat "$file")"
  unset "${name}_FILE"
done
# Tracing is loaded before a program, and only if an exporter is configured.
if [ -n "${OTEL_EXPORTER_OTLP_ENDPOINT:-}" ]; then
  export NODE_OPTIONS="${NODE_OPTIONS:-} --import $(cd "$(dirname "$0")/.." && pwd)/scripts/process/tracing.ts"
fi
exec "$@"

#!/bin/sh
# NAME_FILE=/run/secrets/name becomes NAME, so that no secret stands in the container's description.
set -eu
for name in $(env | sed -n 's/^\([A-Z][A-Z0-9_]*\)_FILE=.*/\1/p'); do
  eval "file=\${${name}_FILE}"
  export "$name=$(cat "$file")"
  unset "${name}_FILE"
done
# What makes traces is loaded before a program, and only where they have somewhere to go.
if [ -n "${OTEL_EXPORTER_OTLP_ENDPOINT:-}" ]; then
  export NODE_OPTIONS="${NODE_OPTIONS:-} --import $(cd "$(dirname "$0")/.." && pwd)/scripts/process/tracing.ts"
fi
exec "$@"

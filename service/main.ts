import { exitOnClosedOutput, logWarnings, errorWithoutMessage } from "#contract/process/log.ts";
import { blockedPortMessage, isBlocked } from "#contract/process/network.ts";
import { buildApp } from "./app.ts";
import { startBackgroundWork } from "./background.ts";
import { readConfig } from "./config.ts";
import { openPool } from "./db/database.ts";
import { migrateService } from "./db/migrate.ts";
import { isDatabaseDown } from "./http/errors.ts";
import { PROGRAM_NAME } from "./http/log.ts";
import { drainConnections } from "./http/server.ts";
import { openJobs } from "./jobs.ts";
import { startMetrics } from "./metrics.ts";
import { closeOnSignal, closeWithin, errorMessageOf, startFailure } from "./process.ts";

process.env.TZ = "UTC";

const CLOSE_LIMIT = 10_000;
const LETTING_GO = 1_000;

const { fail, cannotMigrate, cannotListen } = startFailure(PROGRAM_NAME);

async function main() {
  const config = readConfig();
  await migrateService(config.directUrl).catch(cannotMigrate);
  const pool = openPool(config.databaseUrl);
  const { host, port, metricsPort, metricsToken: token } = config;
  const metrics =
    metricsPort === undefined
      ? undefined
      : await startMetrics(pool, { port: metricsPort, host, token }).catch(
          cannotListen("SERVICE_METRICS_PORT", metricsPort),
        );
  const context = { ...config, pool, now: () => new Date() };
  const app = await buildApp(context, {
    // The same stream that `exitOnClosedOutput` watches for a closed output.
    log: { level: config.logLevel, stream: process.stdout },
    limits: config.limits,
    trustedProxies: config.trustedProxies,
    metrics,
  });
  exitOnClosedOutput();
  logWarnings((msg, fields) => app.log.warn(fields, msg));
  const onError = (error: unknown, what: string) =>
    isDatabaseDown(error)
      ? app.logOutage(error)
      : app.log.error(errorWithoutMessage(error), what);
  const work =
    config.worker === "here"
      ? await startBackgroundWork(
          await openJobs(config, (error) => onError(error, "a job failed")),
          { ...context, metrics, onError, onNotice: (words) => app.log.warn(words) },
        )
      : null;

  const closers = [
    ...(config.trustedProxies > 0 ? [() => drainConnections(app, LETTING_GO)] : []),
    () => app.close(),
    async () => work?.close(),
    () => pool.end(),
    async () => metrics?.close(),
  ];
  closeOnSignal(async () => {
    if (!(await closeWithin(CLOSE_LIMIT, closers)))
      fail("some requests did not end in time and were cut off");
  });

  if (await isBlocked(port)) fail(blockedPortMessage("SERVICE_PORT", port));
  await app.listen({ port, host }).catch(cannotListen("SERVICE_PORT", port));
}

await main().catch((error: unknown) => fail(errorMessageOf(error)));

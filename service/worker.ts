import { limitedOutageLog } from "#contract/process/database.ts";
import {
  exitOnClosedOutput,
  logLineOf,
  logWarnings,
  errorWithoutMessage,
  type LogLevel,
} from "#contract/process/log.ts";
import { startBackgroundWork } from "./background.ts";
import { readWorkerConfig } from "./config.ts";
import { migrateService } from "./db/migrate.ts";
import { isDatabaseDown } from "./http/errors.ts";
import { openJobs } from "./jobs.ts";
import { startMetrics } from "./metrics.ts";
import { closeOnSignal, closeWithin, errorMessageOf, startFailure } from "./process.ts";

const CLOSE_LIMIT = 10_000;

const PROGRAM = "billing service worker";

const lineOf = (level: LogLevel, msg: string, more: object = {}) =>
  `${logLineOf({ program: PROGRAM, level }, msg, { ...more })}\n`;

const { fail, cannotMigrate, cannotListen } = startFailure(PROGRAM);

/** The worker as a separate program; any number of them can run. */
async function main() {
  const config = readWorkerConfig();
  if (!config.secretsKey)
    throw new Error("SERVICE_SECRETS_KEY is not set; use the service's value");
  await migrateService(config.directUrl).catch(cannotMigrate);
  const log = (level: "error" | "warn", msg: string, more: object = {}) => {
    if (config.logLevel === "silent" || (level === "warn" && config.logLevel === "error"))
      return;
    process.stderr.write(lineOf(level, msg, more));
  };
  exitOnClosedOutput();
  logWarnings((msg, fields) => log("warn", msg, fields));
  const logOutage = limitedOutageLog((msg, fields) => log("error", msg, fields));
  const onError = (error: unknown, what: string) =>
    isDatabaseDown(error) ? logOutage(error) : log("error", what, errorWithoutMessage(error));
  const jobs = await openJobs(config, (error) => onError(error, "a job failed"));
  const { host, workerMetricsPort: port, metricsToken: token } = config;
  const metrics =
    port === undefined
      ? undefined
      : await startMetrics(jobs.pool, { port, host, token }).catch(
          cannotListen("SERVICE_WORKER_METRICS_PORT", port),
        );
  const work = await startBackgroundWork(jobs, {
    ...config,
    metrics,
    now: () => new Date(),
    onError,
    onNotice: (words) => log("warn", words),
  });
  process.stdout.write(lineOf("info", "the worker is ready"));

  const closers = [work.close, async () => metrics?.close()];
  closeOnSignal(async () => process.exit((await closeWithin(CLOSE_LIMIT, closers)) ? 0 : 1));
}

await main().catch((error: unknown) => fail(errorMessageOf(error)));

import { readConfig } from "./config.ts";
import { migrateService } from "./db/migrate.ts";
import { runDeliveries } from "./deliveries/run.ts";
import { withoutWords } from "./http/log.ts";
import { runLifecycle } from "./lifecycle/run.ts";
import { closeWithin } from "./shutdown.ts";

const CLOSE_LIMIT = 10_000;

const complain = (line: string) => void process.stderr.write(`${line}\n`);

/** The service's worker as a program of its own: as many as wanted, beside any number of services. */
async function main() {
  const { databaseUrl, secretsKey, mode, logLevel, abandonedAfter } = readConfig();
  if (!secretsKey) throw new Error("SERVICE_SECRETS_KEY: set it to the service's own");
  await migrateService(databaseUrl);
  const now = () => new Date();
  const onError = (error: unknown) => {
    if (logLevel !== "silent" && error instanceof Error)
      complain(JSON.stringify({ level: "error", ...withoutWords(error) }));
  };
  const deliveries = await runDeliveries({ databaseUrl, secretsKey, mode, now, onError });
  const lifecycle = await runLifecycle({ databaseUrl, mode, abandonedAfter, now, onError });
  process.stdout.write("billing service: the worker is ready\n");

  const closers = [() => deliveries.close(), () => lifecycle.close()];
  let isClosing = false;
  const close = async () => {
    if (isClosing) return;
    isClosing = true;
    process.exit((await closeWithin(CLOSE_LIMIT, closers)) ? 0 : 1);
  };
  process.on("SIGTERM", () => void close());
  process.on("SIGINT", () => void close());
}

await main().catch((error: unknown) => {
  complain(
    `billing service: worker: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exit(1);
});

import { prepareDatabase } from "#lib/db/start.ts";
import { runWorker } from "#lib/mirror/run.ts";

await prepareDatabase();
const worker = runWorker();
process.stdout.write("dashboard: the worker is ready\n");
for (const signal of ["SIGTERM", "SIGINT"] as const)
  process.once(signal, () => void worker.close().finally(() => process.exit(0)));

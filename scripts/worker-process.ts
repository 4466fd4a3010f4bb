import { prepareDatabase } from "#lib/prepare-database.ts";
import { logLine, nameProgram } from "#lib/log.ts";
import { startWorker } from "./process/start-worker.ts";
import { redirectConsoleToLog } from "./process/program-console.ts";

nameProgram("dashboard worker");
redirectConsoleToLog();
await prepareDatabase();
const worker = startWorker();
logLine("the worker is ready", {}, "info");
for (const signal of ["SIGTERM", "SIGINT"] as const)
  process.once(signal, () => void worker.close().finally(() => process.exit(0)));

import { prepareDatabase } from "#lib/prepare-database.ts";
import { logLine, nameProgram } from "#lib/log.ts";
import { renewKeyInTime } from "#lib/billing/account.ts";
import { sendQueuedHolds } from "#lib/collection/reminder-holds.ts";
import { deleteOldImports } from "#lib/imports/store.ts";
import { remindInTime } from "#lib/reminders/planner.ts";
import { sendNoticesOf } from "#lib/notifications/sending/send-notices.ts";
import { runWorker } from "#lib/search-index/sync/worker.ts";
import { forgetReturns } from "#lib/payments/buyer-returns.ts";
import { autoRegister } from "#lib/receiver/auto-register.ts";
import { resendAfterStart } from "#lib/receiver/resend-waiting.ts";
import { redirectConsoleToLog } from "./process/program-console.ts";

nameProgram("dashboard worker");
redirectConsoleToLog();
await prepareDatabase();
const worker = runWorker(
  renewKeyInTime,
  autoRegister,
  resendAfterStart,
  () => forgetReturns(),
  sendNoticesOf,
  sendQueuedHolds,
  remindInTime,
  (owner) => deleteOldImports(owner),
);
logLine("the worker is ready", {}, "info");
for (const signal of ["SIGTERM", "SIGINT"] as const)
  process.once(signal, () => void worker.close().finally(() => process.exit(0)));

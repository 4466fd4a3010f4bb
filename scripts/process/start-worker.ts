import "server-only";
import { renewKeyInTime } from "#lib/billing/account.ts";
import { sendQueuedHolds } from "#lib/collection/reminder-holds.ts";
import { deleteOldImports } from "#lib/imports/store.ts";
import { sendNoticesOf } from "#lib/notifications/sending/send-notices.ts";
import { forgetReturns } from "#lib/payments/buyer-returns.ts";
import { autoRegister } from "#lib/receiver/auto-register.ts";
import { resendAfterStart } from "#lib/receiver/resend-waiting.ts";
import { remindInTime } from "#lib/reminders/planner.ts";
import { runWorker } from "#lib/search-index/sync/worker.ts";
import { deleteOldBulkRuns } from "#lib/subscriptions/bulk/old-runs.ts";

/** Starts the worker, which keeps the search indexes up to date, with the other jobs of each seller. */
export const startWorker = () =>
  runWorker(
    renewKeyInTime,
    autoRegister,
    resendAfterStart,
    () => forgetReturns(),
    sendNoticesOf,
    sendQueuedHolds,
    remindInTime,
    (owner) => deleteOldImports(owner),
    (owner) => deleteOldBulkRuns(owner),
  );

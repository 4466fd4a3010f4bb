import type pg from "pg";
import { billAttachment, runBillMessages } from "./bills/send.ts";
import { deleteEndedSignIns } from "./buyers/store.ts";
import { DAYS_KEPT, deleteOldChanges } from "./changes/store.ts";
import { deleteOldNotices } from "./checkout/charges/store.ts";
import { runPayments } from "./checkout/charges/worker.ts";
import { runComparisons } from "./checkout/comparison/worker.ts";
import type { Config } from "./config.ts";
import { NO_OBSERVER } from "./deliveries/recorder.ts";
import { deleteFinished } from "./deliveries/store.ts";
import { runDeliveries } from "./deliveries/worker.ts";
import { deleteExpiredAnswers } from "./http/idempotency.ts";
import type { Jobs } from "./jobs.ts";
import { closeLedgers } from "./ledger/statement.ts";
import { runLifecycle } from "./lifecycle/run.ts";
import { deleteUnusedImages } from "./media/store.ts";
import { deleteOldMessages } from "./messages/store.ts";
import { runMessages } from "./messages/worker.ts";
import type { Metrics } from "./metrics.ts";
import { runReminders } from "./reminders/planner.ts";
import { reminderWriter } from "./reminders/write.ts";
import { deleteEndedOrders } from "./shared-links/store.ts";

interface WorkOptions extends Pick<
  Config,
  | "mode"
  | "privateTargets"
  | "publicUrl"
  | "secretsKey"
  | "oldSecretsKeys"
  | "abandonedAfter"
  | "webhookTimeout"
  | "deliveriesKept"
  | "messagesPerHour"
> {
  now: () => Date;
  metrics: Metrics | undefined;
  onError: (error: unknown, what: string) => void;
  /** A notice for the operator, without personal data. */
  onNotice: (words: string) => void;
}

export async function startBackgroundWork(
  jobs: Jobs,
  { onError, onNotice, metrics, secretsKey, ...options }: WorkOptions,
) {
  const failing = (what: string) => ({
    onError: (error: unknown) => onError(error, `${what} failed`),
  });
  const lifecycle = await runLifecycle(jobs, { ...options, ...failing("the lifecycle") });
  // Without the key no account at a provider was ever set up.
  const payments = secretsKey
    ? await runPayments(jobs, { ...options, secretsKey, ...failing("a payment's provider") })
    : null;
  const comparison = secretsKey
    ? await runComparisons(jobs, {
        ...options,
        secretsKey,
        ...failing("a comparison with a provider"),
      })
    : null;
  const retention = await runRetention(jobs, options);
  const observer = metrics?.observeDeliveries() ?? NO_OBSERVER;
  // Without the key no endpoint or channel was ever set up, so there is nothing to send.
  const deliveries = secretsKey
    ? await runDeliveries(jobs, {
        ...options,
        ...failing("the delivery worker"),
        secretsKey,
        timeout: options.webhookTimeout,
        observer: {
          ...observer,
          switchedOff: (reason, webhookId) => {
            observer.switchedOff(reason, webhookId);
            onNotice(`webhook endpoint ${webhookId} was switched off: ${reason}`);
          },
        },
      })
    : null;
  const messages = secretsKey
    ? await runMessages(jobs, {
        ...options,
        ...failing("the message worker"),
        onAttempt: metrics?.observeMessages(),
        secretsKey,
        write: reminderWriter(options),
        attach: billAttachment({
          ...options,
          ...failing("a bill's file"),
          pool: jobs.pool,
        }),
      })
    : null;
  const reminders = messages
    ? await runReminders(jobs, { ...options, ...failing("the planner of reminders") })
    : null;
  const bills = messages ? await runBillMessages(jobs, options) : null;
  const running = [
    lifecycle,
    payments,
    comparison,
    retention,
    deliveries,
    messages,
    reminders,
    bills,
  ].filter((each) => each !== null);
  return { close: () => jobs.close(running) };
}

/** An uploaded image may wait that long for the form that names it; milliseconds. */
const UNUSED_IMAGES_KEPT = 86_400_000;

type RetentionOptions = Pick<WorkOptions, "now" | "deliveriesKept">;

async function runRetention(jobs: Jobs, { now, deliveriesKept }: RetentionOptions) {
  const closing = new AbortController();
  const drain = async (deleteBatch: () => Promise<number>) => {
    while (!closing.signal.aborted && (await deleteBatch()) > 0);
  };
  await jobs.repeat({
    name: "retention",
    cron: "23 * * * *",
    expireIn: 1_800,
    work: async () => {
      const before = new Date(now().getTime() - deliveriesKept);
      await deleteOldDeliveries(jobs.pool, before, closing.signal);
      const lastKept = new Date(now().getTime() - DAYS_KEPT * DAY);
      await deleteOldChanges(jobs.pool, lastKept, closing.signal);
      const unusedSince = new Date(now().getTime() - UNUSED_IMAGES_KEPT);
      await drain(() => deleteUnusedImages(jobs.pool, unusedSince));
      const old = {
        messages: new Date(now().getTime() - MESSAGE_DAYS * DAY),
        reports: new Date(now().getTime() - DAY),
      };
      await drain(() => deleteOldMessages(jobs.pool, old, BATCH));
      const notices = new Date(now().getTime() - NOTICE_DAYS * DAY);
      await drain(() => deleteOldNotices(jobs.pool, notices, BATCH));
      const unproven = new Date(now().getTime() - DAY);
      await drain(() => deleteEndedOrders(jobs.pool, unproven, BATCH));
      await drain(() => deleteEndedSignIns(jobs.pool, unproven, BATCH));
      await drain(() => deleteExpiredAnswers(jobs.pool, now()));
      await closeLedgers(jobs.pool, now(), closing.signal);
    },
  });
  return { close: async () => closing.abort() };
}

const DAY = 86_400_000;
/** Days a message is kept: a year of contact with a buyer, and a month more. */
const MESSAGE_DAYS = 400;
/** Days in which a provider may repeat a notice. */
const NOTICE_DAYS = 30;
// The number of rows of a batch, small so that rows are locked only briefly.
const BATCH = 500;

/**
 * ADR 0051: deletes deliveries that ended before a time, with their attempts, in batches from
 * the oldest on, so that it can be interrupted; events and notices are kept.
 * @returns how many deliveries were deleted
 */
export async function deleteOldDeliveries(
  pool: pg.Pool,
  before: Date,
  signal?: AbortSignal,
): Promise<number> {
  let [after, deleted] = [0, 0];
  while (!signal?.aborted) {
    const step = await deleteFinished(pool, { after, before, limit: BATCH });
    deleted += step.deleted;
    if (step.last === null || !step.is_old) break;
    after = step.last;
  }
  return deleted;
}

import type pg from "pg";
import { deleteExpiredAnswers } from "./http/idempotency.ts";
import type { Jobs } from "./jobs.ts";
import { deleteFinished } from "./deliveries/store.ts";

interface RetentionOptions {
  now: () => Date;
  /** Milliseconds. */
  deliveriesKept: number;
}

export async function runRetention(jobs: Jobs, { now, deliveriesKept }: RetentionOptions) {
  const closing = new AbortController();
  await jobs.repeat({
    name: "retention",
    cron: "23 * * * *",
    expireIn: 1_800,
    work: async () => {
      const before = new Date(now().getTime() - deliveriesKept);
      await deleteOldDeliveries(jobs.pool, before, closing.signal);
      while (!closing.signal.aborted && (await deleteExpiredAnswers(jobs.pool, now())) > 0);
    },
  });
  return { close: async () => closing.abort() };
}

// Small batches, so that rows are locked only briefly.
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

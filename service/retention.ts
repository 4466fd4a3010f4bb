import { deleteOldDeliveries } from "./deliveries/delete-old.ts";
import { deleteExpiredAnswers } from "./http/idempotency.ts";
import type { Jobs } from "./jobs.ts";

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

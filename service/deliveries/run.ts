import type { Jobs } from "../jobs.ts";
import { DELIVERIES_CHANNEL } from "../subscriptions/emit-events.ts";
import { createDeliveryWorker, type WorkerOptions } from "./worker.ts";

/**
 * Runs a delivery worker until it is closed. It wakes on each commit that queues a delivery, by
 * its own timer for retries, and by one sweep a minute among all processes (ADR 0051).
 */
export async function runDeliveries(jobs: Jobs, options: Omit<WorkerOptions, "pool">) {
  const worker = createDeliveryWorker({ ...options, pool: jobs.pool });
  await jobs.repeat({
    name: "delivery-sweep",
    cron: "* * * * *",
    expireIn: 30,
    work: worker.sweep,
  });
  const listening = await jobs.listen(DELIVERIES_CHANNEL, worker.wake);
  worker.wake();
  return {
    close: async () => {
      await listening?.close();
      await worker.close();
    },
  };
}

import { PgBoss } from "pg-boss";
import { openPool } from "../db/database.ts";
import { DELIVERIES_CHANNEL } from "../outbox/emit.ts";
import { createDeliveryWorker, type WorkerOptions } from "./worker.ts";

const SWEEP = "delivery-sweep";

interface RunOptions extends Omit<WorkerOptions, "pool"> {
  databaseUrl: string;
}

/**
 * Runs a delivery worker until it is closed: woken by each commit that queues something, by its own
 * timer for retries, and by one sweep a minute among all processes (ADR 0050).
 */
export async function runDeliveries({ databaseUrl, ...options }: RunOptions) {
  // Its own connections: the API waits for none of them.
  const pool = openPool(databaseUrl);
  const worker = createDeliveryWorker({ ...options, pool });
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: "duebook-jobs",
    max: 2,
    useListenNotify: true,
    monitorVacuum: false,
  });
  boss.on("error", options.onError ?? (() => {}));
  await boss.start();
  await boss.createQueue(SWEEP, {
    policy: "short",
    notify: true,
    expireInSeconds: 30,
    retryLimit: 0,
    deleteAfterSeconds: 3_600,
  });
  await boss.schedule(SWEEP, "* * * * *");
  await boss.work(SWEEP, () => worker.sweep());
  const listening = await boss
    .getDb()
    .listen?.(DELIVERIES_CHANNEL, worker.wake, worker.wake)
    // Without it the sweep is what wakes the worker.
    .catch(options.onError);
  worker.wake();
  return {
    close: async () => {
      await listening?.close();
      await Promise.all([worker.close(), boss.stop({ timeout: 5_000 })]);
      await pool.end();
    },
  };
}

import { PgBoss } from "pg-boss";
import { openPool } from "../db/database.ts";
import { sweepCheckouts, type CheckoutSweep } from "../checkout/sweep.ts";
import { sweepLifecycle } from "./sweep.ts";

const SWEEP = "lifecycle-sweep";
const MINUTE = 60;

interface RunOptions extends Omit<CheckoutSweep, "pool" | "signal"> {
  databaseUrl: string;
}

/** Sweeps at once, then each minute in one of the processes that run this, until it is closed. */
export async function runLifecycle({
  databaseUrl,
  onError = () => {},
  ...options
}: RunOptions) {
  // Its own connections: the API waits for none of them.
  const pool = openPool(databaseUrl);
  const closing = new AbortController();
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: "duebook-lifecycle",
    max: 1,
    monitorVacuum: false,
  });
  boss.on("error", onError);
  await boss.start();
  // Whoever sweeps for longer than this is helped by another: sweeps share their work.
  await boss.createQueue(SWEEP, {
    policy: "short",
    expireInSeconds: 5 * MINUTE,
    retryLimit: 0,
    deleteAfterSeconds: 60 * MINUTE,
  });
  await boss.schedule(SWEEP, "* * * * *");
  const sweep = async () => {
    const all = { ...options, pool, onError, signal: closing.signal };
    await sweepLifecycle(all);
    await sweepCheckouts(all);
  };
  await boss.work(SWEEP, { pollingIntervalSeconds: 5 }, sweep);
  // Time went on while nothing ran.
  const running: Promise<unknown> = sweep().catch(onError);
  return {
    close: async () => {
      closing.abort();
      await Promise.all([running, boss.stop({ timeout: 5_000 })]);
      await pool.end();
    },
  };
}

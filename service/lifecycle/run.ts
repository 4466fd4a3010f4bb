import { sweepAll, type WholeSweep } from "./sweep-all.ts";
import type { Jobs } from "../jobs.ts";

const MINUTE = 60;

/** Sweeps at once, then every minute in one of the processes that run this, until closed. */
export async function runLifecycle(
  jobs: Jobs,
  { onError = () => {}, ...options }: Omit<WholeSweep, "pool" | "signal">,
) {
  const closing = new AbortController();
  const all = { ...options, pool: jobs.pool, onError, signal: closing.signal };
  const sweep = () => sweepAll(all);
  await jobs.repeat({
    name: "lifecycle-sweep",
    cron: "* * * * *",
    // If a sweep takes longer, another process starts one too: sweeps share their work.
    expireIn: 5 * MINUTE,
    work: sweep,
  });
  // Catches up on the time during which no process ran.
  const running: Promise<unknown> = sweep().catch(onError);
  return {
    close: async () => {
      closing.abort();
      await running;
    },
  };
}

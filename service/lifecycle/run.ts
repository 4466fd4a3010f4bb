import { sweepAll, type WholeSweep } from "./sweep-all.ts";
import type { Jobs } from "../jobs.ts";

const MINUTE = 60;

/** Sweeps at once, then each minute in one of the processes that run this, until it is closed. */
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
    // Whoever sweeps for longer than this is helped by another: sweeps share their work.
    expireIn: 5 * MINUTE,
    work: sweep,
  });
  // Time went on while nothing ran.
  const running: Promise<unknown> = sweep().catch(onError);
  return {
    close: async () => {
      closing.abort();
      await running;
    },
  };
}

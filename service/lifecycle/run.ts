import { abandonCheckouts } from "../checkout/abandon.ts";
import { followUpSandbox } from "../checkout/follow-up.ts";
import { paymentContext, type PaymentOptions } from "../checkout/provider.ts";
import type { Jobs } from "../jobs.ts";
import { spreadMoves } from "../subscriptions/period-move.ts";
import { sweepLifecycle, type SweepContext } from "./sweep.ts";

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
  // The first sweep handles the time during which no process ran.
  const running: Promise<unknown> = sweep().catch(onError);
  return {
    close: async () => {
      closing.abort();
      await running;
    },
  };
}

interface WholeSweep extends SweepContext, Omit<PaymentOptions, "pool" | "now"> {
  /** Milliseconds without activity after which a checkout counts as abandoned. */
  abandonedAfter: number;
}

/**
 * Does all time-based work: answers of the sandbox's wallet, status changes, abandoned checkouts;
 * then continues moves of subscribers. The order is needed, because after a downtime a payment may
 * have failed before its subscription ended. Other providers are asked by a job of their own: no
 * date waits for them.
 */
export async function sweepAll(sweep: WholeSweep): Promise<void> {
  const { pool, now, onError, abandonedAfter: after, signal } = sweep;
  if (sweep.mode === "test") await followUpSandbox(paymentContext(sweep), sweep).catch(onError);
  await sweepLifecycle(sweep);
  await abandonCheckouts(pool, now(), { after, signal });
  await spreadMoves(sweep);
}

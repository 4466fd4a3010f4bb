import type { Sweep } from "../lifecycle/sweep.ts";
import { abandonCheckouts } from "./abandon.ts";
import { followUpUnanswered } from "./follow-up.ts";
import { openTill } from "./till.ts";

export interface CheckoutSweep extends Sweep {
  mode: "test" | "live";
  /** Milliseconds without activity. */
  abandonedAfter: number;
}

/** Asks providers for the answers they still owe, and then says which checkouts were left. */
export async function sweepCheckouts(sweep: CheckoutSweep): Promise<void> {
  const { pool, now, onError, abandonedAfter: after, signal } = sweep;
  const till = openTill(sweep);
  if (till) await followUpUnanswered(till, onError);
  await abandonCheckouts(pool, now(), { after, signal });
}

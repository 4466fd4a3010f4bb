import { sweepLifecycle, type Sweep } from "./sweep.ts";
import { abandonCheckouts } from "../checkout/abandon.ts";
import { followUpUnanswered } from "../checkout/follow-up.ts";
import { paymentContext } from "../checkout/payment-context.ts";

export interface WholeSweep extends Sweep {
  mode: "test" | "live";
  /** Milliseconds without activity. */
  abandonedAfter: number;
}

/**
 * Does all time-based work: answers of providers, status changes, abandoned checkouts. In this
 * order, because after a downtime a payment may have failed before its subscription ended.
 */
export async function sweepAll(sweep: WholeSweep): Promise<void> {
  const { pool, now, onError, abandonedAfter: after, signal } = sweep;
  const payments = paymentContext(sweep);
  // Status changes must not wait for a provider that is down.
  if (payments) await followUpUnanswered(payments, sweep).catch(onError);
  await sweepLifecycle(sweep);
  await abandonCheckouts(pool, now(), { after, signal });
}

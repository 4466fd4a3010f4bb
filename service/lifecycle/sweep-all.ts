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
 * What time owes: answers of providers, changes of status, checkouts that were left. In this order,
 * because after a downtime a payment may have failed before its subscription ended.
 */
export async function sweepAll(sweep: WholeSweep): Promise<void> {
  const { pool, now, onError, abandonedAfter: after, signal } = sweep;
  const payments = paymentContext(sweep);
  // Nobody's due date waits for a provider that is out of order.
  if (payments) await followUpUnanswered(payments, sweep).catch(onError);
  await sweepLifecycle(sweep);
  await abandonCheckouts(pool, now(), { after, signal });
}

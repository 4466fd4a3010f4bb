import { isForWhatIsOwed } from "../../checkout/open.ts";
import type { Database } from "../../db/database.ts";
import { stepsUntil } from "../../subscriptions/elapsed.ts";
import type { Seller } from "../../sellers/store.ts";
import {
  selectExpiringUntil,
  selectLeftUntil,
  selectTimedUntil,
  type ExpiringRow,
} from "./moments-store.ts";
import { failureStep, timeStep, type RecordStep } from "./record-step.ts";

/**
 * What time would do to the seller's records until then, if nobody pays or asks; changes nothing.
 * @param span.after milliseconds without activity until a checkout counts as abandoned
 */
export async function forecast(
  database: Database,
  seller: Seller,
  span: { until: Date; after: number },
): Promise<RecordStep[]> {
  const { seller_id } = seller;
  const timed = await selectTimedUntil(database, seller_id, span);
  const left = await selectLeftUntil(database, seller_id, span);
  const expiring = await selectExpiringUntil(database, seller_id, span);
  // What falls on one moment stays in this order, in which an advance does it.
  return [
    ...timed.flatMap((row) =>
      stepsUntil(row, seller, span.until).map((step) => timeStep(row.subscription_id, step)),
    ),
    ...left.flatMap((row) => failureStep(row, "abandoned")),
    ...expiring.flatMap((row) => expiryStep(row, seller)),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/** As `conclude` in the checkout decides it: what is owed no more by then has not failed. */
function expiryStep(row: ExpiringRow, seller: Seller): RecordStep[] {
  const status = stepsUntil(row, seller, row.at).at(-1)?.to ?? row.status;
  const hasEnded = status === "cancelled" || status === "inactive";
  const current = {
    schedule: row.current_schedule,
    next_billing_cycle: hasEnded ? null : row.next_billing_cycle,
  };
  return isForWhatIsOwed(row, current) ? failureStep({ ...row, status }, "timed_out") : [];
}

import { isForWhatIsOwed } from "../../checkout/open.ts";
import type { Database } from "../../db/database.ts";
import { stepsUntil } from "../../subscriptions/elapsed.ts";
import type { Seller } from "../../sellers/store.ts";
import {
  countTimedUntil,
  selectExpiringUntil,
  selectLeftUntil,
  selectTimedUntil,
  type ExpiringRow,
} from "./moments-store.ts";
import { failureStep, timeStep, type RecordStep } from "./record-step.ts";

/**
 * What time would do to the seller's records until then, if nobody pays or asks; changes nothing.
 * @param span.only one subscription
 * @param span.after milliseconds without activity until a checkout counts as abandoned
 */
export async function forecast(
  database: Database,
  seller: Seller,
  span: { until: Date; after: number; only?: string },
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

/** So many records are gone through one by one: of a million it would keep everybody else waiting. */
const MOST_COUNTED = 1_000;

/** How many steps a forecast until then has; where more records than that move, each counts once. */
export async function countForecast(
  database: Database,
  seller: Seller,
  span: { until: Date; after: number },
): Promise<number> {
  const records = await countTimedUntil(database, seller.seller_id, span.until);
  if (records > MOST_COUNTED) return records;
  return (await forecast(database, seller, span)).length;
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

import { isStillOwed } from "../../checkout/open.ts";
import type { Database } from "../../db/database.ts";
import type { Seller } from "../../sellers/store.ts";
import { timedChangesUntil } from "../../subscriptions/timed-changes.ts";
import { failureStep, timeStep, type ForecastStep } from "./steps.ts";
import {
  selectExpiringPaymentsUntil,
  selectAbandonedCheckoutsUntil,
  selectTimedChangesUntil,
  type ExpiringPayment,
} from "./store.ts";

/**
 * The time-based changes until then, if nobody pays; changes nothing.
 * @param span.after milliseconds without activity until a checkout counts as abandoned
 */
export async function forecast(
  database: Database,
  seller: Seller,
  span: { until: Date; after: number },
): Promise<ForecastStep[]> {
  const { seller_id } = seller;
  const timed = await selectTimedChangesUntil(database, seller_id, span);
  const left = await selectAbandonedCheckoutsUntil(database, seller_id, span);
  const expiring = await selectExpiringPaymentsUntil(database, seller_id, span);
  // Steps at the same time keep this order, which an advance uses too.
  return [
    ...timed.flatMap((row) =>
      timedChangesUntil(row, seller, span.until).map((step) =>
        timeStep(row.subscription_id, step),
      ),
    ),
    ...left.flatMap((row) => failureStep(row, "abandoned")),
    ...expiring.flatMap((row) => expiryStep(row, seller)),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/**
 * The step of a payment that expires. As at the checkout (`charges/conclude.ts`), a payment that is
 * no longer owed does not fail.
 */
function expiryStep(row: ExpiringPayment, seller: Seller): ForecastStep[] {
  const status = timedChangesUntil(row, seller, row.at).at(-1)?.to ?? row.status;
  const hasEnded = status === "cancelled" || status === "inactive";
  const current = {
    schedule: row.current_schedule,
    next_billing_cycle: hasEnded ? null : row.next_billing_cycle,
  };
  return isStillOwed(row, current) ? failureStep({ ...row, status }, "timed_out") : [];
}

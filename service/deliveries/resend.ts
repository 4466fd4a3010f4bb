import type { RecoveredDeliveries } from "#contract/deliveries.ts";
import { detailError, notFoundError } from "../http/errors.ts";
import type { WriteContext } from "../http/write.ts";
import { noSuchDelivery } from "./read.ts";
import { restartDelivery, restartMissed, selectWebhook } from "./store.ts";

/**
 * Resends a delivery in any state, with the same id and body: at once, ahead of the order, also
 * to a paused endpoint. A failure starts the schedule of retries again.
 * @throws 404 for an unknown delivery or another seller's
 */
export async function resendDelivery(
  { database, seller }: Pick<WriteContext, "database" | "seller">,
  deliveryId: number,
): Promise<void> {
  if (!(await restartDelivery(database, seller.seller_id, deliveryId))) throw noSuchDelivery();
}

/**
 * Resends, in order, the oldest failed and skipped deliveries of an endpoint since a time, for use
 * after an outage.
 * @throws 404 for an unknown endpoint or another seller's, 400 for a paused one and for one
 *   whose deliveries a pause is still skipping
 */
export async function recoverDeliveries(
  { database, seller }: Pick<WriteContext, "database" | "seller">,
  { webhookId, since }: { webhookId: number; since: Date },
): Promise<RecoveredDeliveries> {
  const webhook = await selectWebhook(database, seller.seller_id, webhookId);
  if (!webhook) throw notFoundError();
  if (!webhook.is_active)
    throw detailError(
      400,
      "This webhook endpoint is paused. Activate it before resending missed events.",
    );
  if (webhook.is_skipping)
    throw detailError(
      400,
      "Deliveries from before this webhook endpoint was paused are still being skipped. Try again in a minute.",
    );
  return restartMissed(database, seller.seller_id, webhookId, since);
}

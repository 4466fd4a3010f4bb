import type { WriteContext } from "../http/write.ts";
import { noSuchDelivery } from "./get.ts";
import { restartDelivery } from "./store.ts";

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

import type { Write } from "../http/write.ts";
import { noSuchDelivery } from "./get.ts";
import { restartDelivery } from "./store.ts";

/**
 * Sends a delivery once more, whatever became of it, with the same id and body: at once, ahead of
 * any order, and to a paused registration too. A failure begins the schedule of retries.
 * @throws 404 for an unknown and a foreign one
 */
export async function resendDelivery(
  { database, seller }: Pick<Write, "database" | "seller">,
  deliveryId: number,
): Promise<void> {
  if (!(await restartDelivery(database, seller.seller_id, deliveryId))) throw noSuchDelivery();
}

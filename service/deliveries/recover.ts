import { detail, notFound } from "../http/errors.ts";
import type { Write } from "../http/write.ts";
import { restartUndelivered, selectWebhook } from "./store.ts";

/**
 * After an outage: sends a registration what it missed since a moment, failed and skipped, in order.
 * @returns how many deliveries began anew
 * @throws 404 for an unknown and a foreign registration, 400 for a paused one
 */
export async function recoverDeliveries(
  { database, seller }: Pick<Write, "database" | "seller">,
  { webhookId, since }: { webhookId: number; since: Date },
): Promise<number> {
  const webhook = await selectWebhook(database, seller.seller_id, webhookId);
  if (!webhook) throw notFound();
  if (!webhook.is_active)
    throw detail(400, "This registration is paused. Activate it before recovering deliveries.");
  return restartUndelivered(database, seller.seller_id, webhookId, since);
}

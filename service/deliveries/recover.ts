import { detail, notFound } from "../http/errors.ts";
import type { WriteContext } from "../http/write.ts";
import { restartUndelivered, selectWebhook } from "./store.ts";

/**
 * Resends, in order, the failed and skipped deliveries of an endpoint since a time, for use
 * after an outage.
 * @returns how many deliveries were restarted
 * @throws 404 for an unknown endpoint or another seller's, 400 for a paused one
 */
export async function recoverDeliveries(
  { database, seller }: Pick<WriteContext, "database" | "seller">,
  { webhookId, since }: { webhookId: number; since: Date },
): Promise<number> {
  const webhook = await selectWebhook(database, seller.seller_id, webhookId);
  if (!webhook) throw notFound();
  if (!webhook.is_active)
    throw detail(
      400,
      "This webhook endpoint is paused. Activate it before resending missed events.",
    );
  return restartUndelivered(database, seller.seller_id, webhookId, since);
}

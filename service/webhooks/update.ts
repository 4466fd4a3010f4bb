import type { UpdateWebhook, Webhook } from "#contract/webhooks.ts";
import { ApiError, notFound } from "../http/errors.ts";
import { readRecordId } from "../http/record-id.ts";
import type { WriteContext } from "../http/write.ts";
import { presentWebhook } from "./present.ts";
import { updateWebhookRow } from "./store.ts";
import { problemOfTarget } from "./target.ts";

/**
 * Spec choice, webhook endpoints: omitted fields stay unchanged.
 * @throws 404 for an unknown or malformed id, and for another seller's
 */
export async function updateWebhook(
  { database, seller, ...rules }: WriteContext,
  webhookId: string,
  changes: UpdateWebhook,
): Promise<Webhook> {
  const id = readRecordId(webhookId);
  if (id === null) throw notFound();
  const { endpoint_url } = changes;
  const problem = endpoint_url === undefined ? null : problemOfTarget(rules, endpoint_url);
  if (problem) throw new ApiError(400, { endpoint_url: [problem] });
  const row = await updateWebhookRow(database, seller.seller_id, id, changes);
  if (!row) throw notFound();
  return presentWebhook(row);
}

import type { CreateWebhook, UpdateWebhook, Webhook } from "#contract/webhooks.ts";
import { ApiError, detailError, notFoundError } from "../http/errors.ts";
import { requireRecordId } from "../http/ids.ts";
import type { WriteContext } from "../http/write.ts";
import { lockSeller } from "../sellers/store.ts";
import { encryptSecret, newSecret } from "./secret.ts";
import { countWebhooks, insertWebhook, updateWebhookRow, type WebhookRow } from "./store.ts";
import { targetProblem } from "./target.ts";

export const presentWebhook = ({ created_at, ...row }: WebhookRow): Webhook => ({
  ...row,
  created_at: created_at.toISOString(),
});

/** The most endpoints of a seller; a URL has one for each kind of event that it receives. */
export const MAX_WEBHOOKS = 300;

/** @returns the endpoint and its signing secret, which is never shown again */
export async function createWebhook(
  { database, seller, clock, secretsKey, ...rules }: WriteContext,
  input: CreateWebhook,
): Promise<{ webhook: Webhook; secret: string }> {
  if (!secretsKey)
    throw detailError(
      503,
      "Webhooks cannot be registered here: SERVICE_SECRETS_KEY is not set.",
    );
  const problem = targetProblem(rules, input.endpoint_url);
  if (problem) throw new ApiError(400, { endpoint_url: [problem] });
  const { seller_id } = seller;
  // Two requests at once must not both pass the limit.
  await lockSeller(database, seller_id);
  if ((await countWebhooks(database, seller_id)) >= MAX_WEBHOOKS)
    throw detailError(400, `A seller can have ${MAX_WEBHOOKS} webhook endpoints. Change one.`);
  const secret = newSecret();
  const row = await insertWebhook(database, seller_id, {
    ...input,
    sealed_secret: encryptSecret(secretsKey, seller_id, secret),
    created_at: clock(),
  });
  return { webhook: presentWebhook(row), secret };
}

/**
 * Spec choice, webhook endpoints: omitted fields stay unchanged.
 * @throws 404 for an unknown or malformed id, and for another seller's
 */
export async function updateWebhook(
  { database, seller, ...rules }: WriteContext,
  webhookId: string,
  changes: UpdateWebhook,
): Promise<Webhook> {
  const id = requireRecordId(webhookId);
  const { endpoint_url } = changes;
  const problem = endpoint_url === undefined ? null : targetProblem(rules, endpoint_url);
  if (problem) throw new ApiError(400, { endpoint_url: [problem] });
  const row = await updateWebhookRow(database, seller.seller_id, id, changes);
  if (!row) throw notFoundError();
  return presentWebhook(row);
}

/**
 * Gives an endpoint a new signing secret. Spec choice, signatures: both secrets sign for the
 * overlap, so that the receiver can be changed without a gap; a second rotation within it ends the
 * oldest at once.
 * @param now the real time, not the seller's
 * @param overlap milliseconds
 * @returns the secret, which is never shown again
 * @throws 404 for an unknown endpoint or another seller's
 */
export async function rotateSecret(
  { database, seller, secretsKey }: Pick<WriteContext, "database" | "seller" | "secretsKey">,
  webhookId: number,
  { now, overlap }: { now: Date; overlap: number },
): Promise<string> {
  if (!secretsKey)
    throw detailError(503, "Secrets cannot be rotated here: SERVICE_SECRETS_KEY is not set.");
  const { seller_id } = seller;
  const secret = newSecret();
  const { rowCount } = await database.query(
    `update webhook set previous_sealed_secret = sealed_secret, previous_secret_until = $4,
       sealed_secret = $3
     where seller_id = $1 and id = $2`,
    [
      seller_id,
      webhookId,
      encryptSecret(secretsKey, seller_id, secret),
      new Date(now.getTime() + overlap),
    ],
  );
  if (rowCount === 0) throw notFoundError();
  return secret;
}

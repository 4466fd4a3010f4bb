import type { CreateWebhook, Webhook } from "#contract/webhooks.ts";
import { ApiError, detail } from "../http/errors.ts";
import type { WriteContext } from "../http/write.ts";
import { lockSeller } from "../sellers/store.ts";
import { presentWebhook } from "./present.ts";
import { newSecret, encryptSecret } from "./secret.ts";
import { countWebhooks, insertWebhook } from "./store.ts";
import { problemOfTarget } from "./target.ts";

/** A hundred URLs with every kind of event. */
export const MAX_WEBHOOKS = 300;

/** @returns the endpoint and its signing secret, which is never shown again */
export async function createWebhook(
  { database, seller, clock, secretsKey, ...rules }: WriteContext,
  input: CreateWebhook,
): Promise<{ webhook: Webhook; secret: string }> {
  if (!secretsKey)
    throw detail(503, "Webhooks cannot be registered here: SERVICE_SECRETS_KEY is not set.");
  const problem = problemOfTarget(rules, input.endpoint_url);
  if (problem) throw new ApiError(400, { endpoint_url: [problem] });
  const { seller_id } = seller;
  // Two requests at once must not both pass the limit.
  await lockSeller(database, seller_id);
  if ((await countWebhooks(database, seller_id)) >= MAX_WEBHOOKS)
    throw detail(400, `A seller can have ${MAX_WEBHOOKS} webhook endpoints. Change one.`);
  const secret = newSecret();
  const row = await insertWebhook(database, seller_id, {
    ...input,
    sealed_secret: encryptSecret(secretsKey, seller_id, secret),
    created_at: clock(),
  });
  return { webhook: presentWebhook(row), secret };
}

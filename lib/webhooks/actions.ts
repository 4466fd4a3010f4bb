"use server";

import * as z from "zod";
import { EndpointUrl, MAX_URL_LENGTH, type Webhook } from "#contract/webhooks.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { recordEndpointChange } from "#lib/billing/receiver-endpoints.ts";
import { storeOwnSecret, storeRotatedSecret } from "#lib/billing/receiver-secrets.ts";
import { recordRemovedEndpoint, registerEndpointOnce } from "#lib/billing/webhook-endpoints.ts";
import { database } from "#lib/db/pool.ts";
import { encryptionKeysOf, env } from "#lib/env.ts";
import { message } from "#lib/i18n/message.ts";
import type { RegisteredWebhook } from "./queries.ts";
import { hostOf } from "./rules.ts";
import { DeliveryClient } from "#lib/billing/delivery-client.ts";

// Any name is accepted: the service may know more events than Duebook.
const EventName = z.string().trim().min(1, message("webhooks.problem.event")).max(100);
const WebhookId = z.int().nonnegative(message("webhooks.problem.id"));
const Address = z
  .string()
  .trim()
  .min(1, { error: message("webhooks.problem.blank"), abort: true })
  .max(MAX_URL_LENGTH, {
    error: message("webhooks.problem.long", { most: MAX_URL_LENGTH }),
    abort: true,
  })
  .refine((text) => EndpointUrl.safeParse(text).success, message("webhooks.problem.address"));
const EndpointEvent = z.object({ event: EventName, endpoint_url: Address });

/** Registers one event at one URL; an existing endpoint is reused. */
export const createWebhookAction = sellerAction({
  name: "webhook.create",
  permission: "webhooks:write",
  input: EndpointEvent,
  run: async ({ billing, owner }, input, note): Promise<RegisteredWebhook> => {
    note.detail = { event: input.event, host: hostOf(input.endpoint_url) };
    const registered = await switchOn(billing, await registerEndpointOnce(billing, input));
    await storeOwnSecret(database(), owner, registered, encryptionKeysOf(env()));
    note.detail = { ...note.detail, webhook_id: registered.webhook.id };
    return registered;
  },
});

/** Switches on an endpoint that exists but is paused. A removed endpoint is a paused one too. */
async function switchOn(
  billing: BillingClient,
  registered: RegisteredWebhook,
): Promise<RegisteredWebhook> {
  const { id, event, endpoint_url, is_active } = registered.webhook;
  if (registered.is_new || is_active) return registered;
  const fields = { event, endpoint_url, is_active: true };
  return { ...registered, webhook: await billing.updateWebhook(id, fields) };
}

/** Pauses the endpoint, since the service cannot delete it, and hides it from the list. */
export const removeWebhookAction = sellerAction({
  name: "webhook.remove",
  permission: "webhooks:write",
  input: EndpointEvent.extend({ id: WebhookId }),
  run: async ({ billing, owner }, { id, event, endpoint_url }, note) => {
    note.detail = { webhook_id: id, event, host: hostOf(endpoint_url) };
    await change(billing, owner, id, { event, endpoint_url, is_active: false });
    await recordRemovedEndpoint(database(), owner, { id, endpoint_url });
    return null;
  },
});

/**
 * Changes an endpoint. Sends every field, because the specification does not say which are
 * required.
 */
export const updateWebhookAction = sellerAction({
  name: "webhook.update",
  permission: "webhooks:write",
  input: EndpointEvent.extend({ id: WebhookId, is_active: z.boolean() }),
  run: ({ billing, owner }, { id, ...fields }, note): Promise<Webhook> => {
    const { event, endpoint_url, is_active } = fields;
    note.detail = { webhook_id: id, event, host: hostOf(endpoint_url), is_active };
    return change(billing, owner, id, fields);
  },
});

/** Changes an endpoint, and records it if the receiver no longer gets its events. */
async function change(
  billing: BillingClient,
  owner: KeyOwner,
  id: number,
  fields: Omit<Webhook, "id" | "created_at">,
): Promise<Webhook> {
  const webhook = await billing.updateWebhook(id, fields);
  await recordEndpointChange(database(), owner, { id, ...fields });
  return webhook;
}

/** Creates a new secret; the old one stays valid beside it for a day. */
export const rotateSecretAction = sellerAction({
  name: "webhook.rotate-secret",
  permission: "webhooks:write",
  input: z.object({ id: WebhookId }),
  run: async ({ billing, owner }, { id }, note) => {
    note.detail = { webhook_id: id };
    const rotated = await new DeliveryClient(billing).rotateSecret(id);
    await storeRotatedSecret(
      database(),
      owner,
      { ...rotated, webhook_id: id },
      encryptionKeysOf(env()),
    );
    return rotated;
  },
});

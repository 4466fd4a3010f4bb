import * as z from "zod";
import { EVENT_KINDS } from "./events.ts";
import { envelope } from "./pagination.ts";
import { strict, tolerant, type Wire } from "./wire.ts";

const webhook = (wire: Wire) =>
  wire.object({
    id: wire.number_id,
    event: wire.oneOf(EVENT_KINDS),
    endpoint_url: wire.url,
    is_active: wire.boolean,
    created_at: wire.datetime,
  });

const webhookPage = (wire: Wire) => wire.object(envelope(wire, webhook(wire)));

export const Webhook = webhook(strict);
export type Webhook = z.output<typeof Webhook>;
export const ReceivedWebhook = webhook(tolerant);

export const WebhookPage = webhookPage(strict);
export type WebhookPage = z.output<typeof WebhookPage>;
export const ReceivedWebhookPage = webhookPage(tolerant);

/**
 * The answer to a creation bears the signing secret in this header, once: the record has no key
 * for it. A server that shows it elsewhere sends none.
 */
export const WEBHOOK_SECRET_HEADER = "x-webhook-secret";

const MAX_URL = 2000;

const isEndpointUrl = (text: string) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
};

const EventKind = z.enum(EVENT_KINDS, {
  error: (issue) =>
    issue.input === undefined
      ? "This field is required."
      : `Use one of ${EVENT_KINDS.join(", ")}.`,
});
const EndpointUrl = z
  .string({
    error: (issue) =>
      issue.input === undefined ? "This field is required." : "Send an address as text.",
  })
  .trim()
  .min(1, { error: "This field may not be blank.", abort: true })
  .max(MAX_URL, `Use at most ${MAX_URL} characters.`)
  .refine((text) => text.isWellFormed() && !/[\p{Cc}\s]/u.test(text) && isEndpointUrl(text), {
    error: "Enter a full address that begins with http:// or https:// and holds no password.",
  });
const IsActive = z.boolean({ error: "Send true or false." });

/** What POST /api/v1/webhooks/ takes. */
export const CreateWebhook = z.object({
  event: EventKind,
  endpoint_url: EndpointUrl,
  is_active: IsActive.default(true),
});
export type CreateWebhook = z.output<typeof CreateWebhook>;

/** What PATCH /api/v1/webhooks/{id}/ takes: what is left out stays as it is. */
export const UpdateWebhook = z.object({
  event: EventKind.optional(),
  endpoint_url: EndpointUrl.optional(),
  is_active: IsActive.optional(),
});
export type UpdateWebhook = z.output<typeof UpdateWebhook>;

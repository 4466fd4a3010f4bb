import * as z from "zod";
import { EVENT_KINDS } from "./names.ts";
import { FIELD_MESSAGES, isWebAddress, tooLongMessage } from "./field-messages.ts";
import { defineSentAndReceived, pageEnvelope, type WireTypes } from "./wire.ts";

const webhook = (wire: WireTypes) =>
  wire.object({
    id: wire.number_id,
    event: wire.oneOf(EVENT_KINDS),
    endpoint_url: wire.url,
    is_active: wire.boolean,
    created_at: wire.datetime,
  });

export const [Webhook, ReceivedWebhook] = defineSentAndReceived(webhook);
export type Webhook = z.output<typeof Webhook>;

export const [WebhookPage, ReceivedWebhookPage] = defineSentAndReceived((wire) =>
  wire.object(pageEnvelope(wire, webhook(wire))),
);
export type WebhookPage = z.output<typeof WebhookPage>;

/**
 * The header of a creation's answer that carries the signing secret, once; the endpoint itself
 * has no field for it. Servers that return it elsewhere send no such header.
 */
export const WEBHOOK_SECRET_HEADER = "x-webhook-secret";

// Our header, and the fields of the body in which other servers send the secret.
const SECRET_FIELDS = [
  WEBHOOK_SECRET_HEADER,
  "secret",
  "signing_secret",
  "secret_key",
  "webhook_secret",
];

const secretIn = (answer: unknown): string | null => {
  const fields = new Map(Object.entries(answer ?? {}));
  const given = SECRET_FIELDS.map((name) => fields.get(name));
  return given.find((value) => typeof value === "string" && value !== "") ?? null;
};

const shownSecret = z.preprocess(secretIn, z.string().nullable());

/**
 * The answer to a creation with its headers among the fields: the endpoint, and its secret or
 * null.
 */
export const ReceivedNewWebhook = z
  .unknown()
  .transform((answer) => ({ webhook: answer, secret: answer }))
  .pipe(z.object({ webhook: ReceivedWebhook, secret: shownSecret }));
export type NewWebhook = z.output<typeof ReceivedNewWebhook>;

/** The answer to a rotation, which returns only the secret. */
export const ReceivedNewSecret = z
  .unknown()
  .transform((answer) => ({ secret: answer }))
  .pipe(z.object({ secret: shownSecret }));
export type NewSecret = z.output<typeof ReceivedNewSecret>;

export const MAX_URL_LENGTH = 2000;

const EventKind = z.enum(EVENT_KINDS, {
  error: (issue) =>
    issue.input === undefined
      ? FIELD_MESSAGES.required
      : `Use one of ${EVENT_KINDS.join(", ")}.`,
});
/** The URL that deliveries are posted to. */
export const EndpointUrl = z
  .string({
    error: (issue) =>
      issue.input === undefined ? FIELD_MESSAGES.required : "Send an address as text.",
  })
  .trim()
  .min(1, { error: FIELD_MESSAGES.blank, abort: true })
  .max(MAX_URL_LENGTH, tooLongMessage(MAX_URL_LENGTH))
  .refine((text) => text.isWellFormed() && !/[\p{Cc}\s]/u.test(text) && isWebAddress(text), {
    error:
      "Enter a full address that begins with http:// or https:// and contains no password.",
  });
const IsActive = z.boolean({ error: "Send true or false." });

/** Body of POST /api/v1/webhooks/. */
export const CreateWebhook = z.object({
  event: EventKind,
  endpoint_url: EndpointUrl,
  is_active: IsActive.default(true),
});
export type CreateWebhook = z.output<typeof CreateWebhook>;

/** Body of PATCH /api/v1/webhooks/{id}/; omitted fields stay unchanged. */
export const UpdateWebhook = z.object({
  event: EventKind.optional(),
  endpoint_url: EndpointUrl.optional(),
  is_active: IsActive.optional(),
});
export type UpdateWebhook = z.output<typeof UpdateWebhook>;

const wholeHours = "Send whole hours, 0 to 168.";

/** The optional body of a rotation. With 0 hours the old secret ends at once. */
export const RotateSecret = z
  .object({
    overlap_hours: z.int(wholeHours).min(0, wholeHours).max(168, wholeHours).default(24),
  })
  .prefault({});

import { EVENT_KINDS, type EventKind } from "#contract/events.ts";
import { EVENT_EXAMPLES } from "./examples.ts";
import { jsonBody, type Parameter } from "./operation.ts";

const WHEN: Record<EventKind, string> = {
  "checkout.succeeded":
    "A payment succeeded: the first one, or a renewal. Only this proves a payment; `data` says what was paid.",
  "checkout.failed": "A payment was declined, or its buyer went away.",
  "subscription.status_changed":
    "The status or the billing date changed, by time, by the API or by a payment. It proves no payment.",
};

const header = (name: string, description: string): Parameter => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
});

const SIGNED = [
  header("webhook-id", "The event's id, the same in every attempt: do not act twice on one"),
  header("webhook-timestamp", "When it was sent, in seconds since 1970"),
  header(
    "webhook-signature",
    "`v1,` and the HMAC-SHA256 of id.timestamp.body in base64; two of them while a secret is replaced",
  ),
];

export const WEBHOOKS = Object.fromEntries(
  EVENT_KINDS.map((event) => [
    event,
    {
      post: {
        summary: `The body sent to endpoints for ${event}`,
        description: WHEN[event],
        parameters: SIGNED,
        requestBody: jsonBody("Event", EVENT_EXAMPLES[event]),
        responses: {
          "2XX": { description: "Accepted. Any other answer is retried, over 75 hours." },
          410: { description: "The endpoint is gone and is switched off." },
        },
      },
    },
  ]),
);

import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

interface DeliveryMessage {
  event_id: string;
  body: string;
}

/** Unix seconds, the format of Standard Webhooks for the time of an attempt. */
const timestampOf = (at: Date) => Math.floor(at.getTime() / 1_000);

/**
 * Standard Webhooks 1.0: HMAC-SHA256 over id.timestamp.body with each secret.
 * @param secrets `whsec_` and base64; two while one replaces the other
 */
export function signMessage(
  message: DeliveryMessage,
  at: Date,
  secrets: readonly string[],
): string {
  const text = `${message.event_id}.${timestampOf(at)}.${message.body}`;
  return secrets
    .map((secret) => Buffer.from(secret.slice(PREFIX.length), "base64"))
    .map((key) => `v1,${createHmac("sha256", key).update(text).digest("base64")}`)
    .join(" ");
}

/** The headers of a delivery; stored and shown with the attempt. */
export const requestHeaders = (eventId: string, at: Date, signatures: string) => ({
  "content-type": "application/json",
  "user-agent": "Duebook/1.0",
  "webhook-id": eventId,
  "webhook-timestamp": String(timestampOf(at)),
  "webhook-signature": signatures,
});

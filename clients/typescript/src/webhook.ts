import { DuebookError, jsonOf } from "./error.ts";
import type { WebhookEvent } from "./generated/schemas.ts";

/** The headers of a delivery: of a `Request`, or of Node's `IncomingMessage`. */
export type DeliveryHeaders =
  Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Seconds by which the delivery's time may differ from now; 300 unless given. */
  tolerance?: number | undefined;
}

const TOLERANCE = 300;

/**
 * Verifies a delivery by Standard Webhooks 1.0 and reads its event.
 * @param rawBody the body as it came, before it was parsed
 * @param secret `whsec_…`; several if one address is registered for several events, or while a
 *   secret is replaced
 * @throws DuebookError `wrong_signature`, `wrong_time` or `unreadable`; answer such a delivery 400
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: DeliveryHeaders,
  secret: string | readonly string[],
  { tolerance = TOLERANCE }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const given = headerOf(headers, "webhook-signature").split(" ");
  if (id === "" || !/^\d{1,15}$/.test(timestamp))
    throw new DuebookError("wrong_signature", "The headers of a delivery are missing.");
  const body = typeof rawBody === "string" ? encode(rawBody) : new Uint8Array(rawBody);
  const signed = joined(encode(`${id}.${timestamp}.`), body);
  let isGenuine = false;
  for (const one of [secret].flat()) {
    const expected = `v1,${await signatureOf(keyOf(one), signed)}`;
    // Compares every signature in full: the time taken must not tell which one nearly matched.
    for (const signature of given) isGenuine = isSame(expected, signature) || isGenuine;
  }
  if (!isGenuine) throw new DuebookError("wrong_signature", "No signature matches.");
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= tolerance))
    throw new DuebookError("wrong_time", "The delivery is too old, or from the future.");
  const event = jsonOf(new TextDecoder().decode(body));
  if (typeof event !== "object" || event === null || !("event" in event))
    throw new DuebookError("unreadable", "The delivery is no event.");
  return event as WebhookEvent;
}

function headerOf(headers: DeliveryHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return [value ?? ""].flat().join(" ");
}

const encode = (text: string) => new TextEncoder().encode(text);

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + body.length);
  whole.set(head);
  whole.set(body, head.length);
  return whole;
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.replace(/^whsec_/, "");
  // atob also takes spaces, and wants whole groups of four.
  if (
    !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(text) ||
    text === ""
  )
    throw new DuebookError("usage", "The secret is no signing secret: whsec_ and base64.");
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

async function signatureOf(
  key: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const method = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, method, false, ["sign"]);
  const made = await crypto.subtle.sign("HMAC", imported, signed);
  return btoa(String.fromCharCode(...new Uint8Array(made)));
}

function isSame(left: string, right: string): boolean {
  let different = left.length ^ right.length;
  for (let at = 0; at < left.length; at += 1)
    different |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return different === 0;
}

import { SPECIFIED_EVENTS } from "#contract/names.ts";
import type { SignatureCheck, SignatureProblem, SignatureScheme } from "#lib/signature.ts";
import type { ReceivedRow, ReceiverState } from "./queries.ts";

/** The verdict on a received delivery; migration 0016 describes each. */
export const RECEIVED_VERDICTS = [
  "verified",
  "repeated",
  "late",
  "forged",
  "unverified",
  "unreadable",
] as const;
export type ReceivedVerdict = (typeof RECEIVED_VERDICTS)[number];

/**
 * A stable code for why a delivery is not plainly verified. `example` is verified but proves no
 * payment; `checked_later` was verified once a secret was added or the signature scheme was set.
 */
export type VerdictReason =
  | SignatureProblem
  | "seen_before"
  | "same_body"
  | "replayed"
  | "not_json"
  | "too_large"
  | "example"
  | "checked_later";

/** The verdict of the signature alone; earlier deliveries can still change it. */
export function signatureVerdict({
  problem,
  is_authentic,
}: Pick<SignatureCheck, "problem" | "is_authentic">): ReceivedVerdict {
  if (problem === null) return "verified";
  if (problem === "no_secret" || problem === "bad_secret") return "unverified";
  return is_authentic ? "late" : "forged";
}

/** The content of a delivery's body. */
export interface DeliveryPayload {
  event: string | null;
  subscription_id: string | null;
  old_status: string | null;
  new_status: string | null;
  /** Whether the sender created it as a test. */
  is_example: boolean;
}

/** @returns null for anything but a JSON object */
export function readPayload(body: unknown): DeliveryPayload | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  // Services put fields beside the event, or into `data`.
  const inner: unknown = Reflect.get(body, "data");
  const read = (name: string): unknown => Reflect.get(body, name) ?? nested(inner, name);
  const id = read("subscription_id");
  return {
    event: shortText(read("event") ?? read("type")),
    subscription_id: typeof id === "string" && /^[\w-]{1,100}$/.test(id) ? id : null,
    old_status: shortText(read("old_status")),
    new_status: shortText(read("new_status")),
    is_example: read("reason") === "example",
  };
}

const nested = (inner: unknown, name: string): unknown =>
  typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined;

/** The value if it looks like the name of an event or status; else null. */
const shortText = (value: unknown) =>
  typeof value === "string" && /^[\w.:-]{1,50}$/.test(value) ? value : null;

/**
 * The id that the signature covers: the header's where that is signed, otherwise the body's own.
 * Whoever replays a delivery could change an unsigned header.
 * @returns null if the body has none
 */
export function signedIdOf(
  scheme: SignatureScheme,
  { id }: Pick<SignatureCheck, "id">,
  body: unknown,
): string | null {
  if (scheme.signs === "id.timestamp.body") return id;
  const own: unknown =
    typeof body === "object" && body !== null ? Reflect.get(body, "id") : undefined;
  return typeof own === "string" || typeof own === "number" ? String(own) : null;
}

/** The effect of a delivery: a confirmed payment, a refresh of the subscription, or none. */
export function deliveryEffect({
  verdict,
  reason,
  event,
  subscription_id,
}: Pick<ReceivedRow, "verdict" | "reason" | "event" | "subscription_id">):
  "proof" | "read" | "nothing" {
  if (reason === "example") return "nothing";
  if (verdict === "verified" && event === "checkout.succeeded") return "proof";
  return subscription_id === null ? "nothing" : "read";
}

/** The state of the registration and the secrets. */
export function receiverStatusOf({
  secrets,
  last_verified_at,
  latest,
  was_registered,
  registered_at,
  missing,
}: ReceiverState): "partly" | "lost" | "secretless" | "waiting" | "ready" | "verified" {
  if (was_registered && registered_at === null)
    return missing.length > 0 && missing.length < SPECIFIED_EVENTS.length ? "partly" : "lost";
  if (secrets.length === 0)
    return registered_at !== null || latest.length > 0 ? "secretless" : "waiting";
  return last_verified_at === null ? "ready" : "verified";
}

/** The URL that deliveries are posted to. */
export const receiverUrl = (token: string, baseUrl: string): string =>
  new URL(`/api/received/${token}`, baseUrl).href;

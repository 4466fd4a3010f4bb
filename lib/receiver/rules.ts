import { EVENT_KINDS } from "#contract/events.ts";
import type { SignatureCheck, SignatureProblem, SignatureScheme } from "#lib/signature.ts";
import type { ReceiverState } from "./queries.ts";

/** What became of what came to the address; migration 0016 says what each means. */
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
 * Why it is not simply verified: a stable code, put into words where it is shown. Of what is verified,
 * `example` proves nothing, and `checked_later` came before there was a secret for it.
 */
export type Reason =
  | SignatureProblem
  | "seen_before"
  | "same_body"
  | "replayed"
  | "not_json"
  | "too_large"
  | "example"
  | "checked_later";

/** What the signature says of it; the rest is decided by what was there before. */
export function verdictOf({
  problem,
  is_authentic,
}: Pick<SignatureCheck, "problem" | "is_authentic">): ReceivedVerdict {
  if (problem === null) return "verified";
  if (problem === "no_secret" || problem === "bad_secret") return "unverified";
  return is_authentic ? "late" : "forged";
}

/** What is read out of a delivery's body; null where there is none that is short and plain. */
export interface DeliveryPayload {
  event: string | null;
  subscription_id: string | null;
  old_status: string | null;
  new_status: string | null;
  /** Made up by the sender, to try things out. */
  is_example: boolean;
}

/** @returns null for what is no JSON object */
export function readPayload(body: unknown): DeliveryPayload | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  // Beside the event, or one level below, as services send what the event is about.
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

/** Names of events and statuses; anything else is nothing that could be compared. */
const shortText = (value: unknown) =>
  typeof value === "string" && /^[\w.:-]{1,50}$/.test(value) ? value : null;

/**
 * The id that is signed with it: of the header where that is signed, else the body's own. An id beside
 * the signature could be changed by whoever sends the same once more.
 * @returns null where the body has none
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

/** What it brought about: a payment that counts, a look at the record that it names, or nothing. */
export function effectOf({
  verdict,
  reason,
  event,
  subscription_id,
}: {
  verdict: ReceivedVerdict;
  reason: Reason | null;
  event: string | null;
  subscription_id: string | null;
}): "proof" | "read" | "nothing" {
  if (reason === "example") return "nothing";
  if (verdict === "verified" && event === "checkout.succeeded") return "proof";
  return subscription_id === null ? "nothing" : "read";
}

/** How it stands with the registrations and the secrets. */
export function receiverStatusOf({
  secrets,
  last_verified_at,
  latest,
  was_registered,
  registered_at,
  missing,
}: ReceiverState): "partly" | "lost" | "secretless" | "waiting" | "ready" | "verified" {
  if (was_registered && registered_at === null)
    return missing.length > 0 && missing.length < EVENT_KINDS.length ? "partly" : "lost";
  if (secrets.length === 0)
    return registered_at !== null || latest.length > 0 ? "secretless" : "waiting";
  return last_verified_at === null ? "ready" : "verified";
}

/** Where deliveries are posted to. */
export const receiverUrl = (token: string, baseUrl: string): string =>
  new URL(`/api/received/${token}`, baseUrl).href;

export const SIGNATURE_OPTIONS = {
  algorithm: ["sha256", "sha512", "sha1"],
  encoding: ["base64", "hex"],
  signs: ["id.timestamp.body", "timestamp.body", "body"],
  /** How the secret encodes the key: "standard" is an optional whsec_ and base64. */
  secret: ["standard", "text"],
} as const;
type Options = {
  [Name in keyof typeof SIGNATURE_OPTIONS]: (typeof SIGNATURE_OPTIONS)[Name][number];
};

/** How a sender signs: Standard Webhooks, or a custom format like it. */
export interface SignatureScheme extends Options {
  /** Header names in lower case; null if the scheme has no such header. */
  headers: { id: string | null; timestamp: string | null; signature: string };
  /** Precedes each signature in its header. */
  prefix: string;
  /** Largest difference between the timestamp and the receiver's clock, in seconds. */
  tolerance: number;
}

export type SignatureAlgorithm = Options["algorithm"];

export const STANDARD_TOLERANCE = 300;

/** The last second of the year 9999. A timestamp in milliseconds, read as seconds, is after it. */
export const YEAR_9999 = 253_402_300_799_000;

/** Standard Webhooks 1.0, as the embedded service signs. */
export const STANDARD_SCHEME = {
  headers: { id: "webhook-id", timestamp: "webhook-timestamp", signature: "webhook-signature" },
  algorithm: "sha256",
  encoding: "base64",
  prefix: "v1,",
  signs: "id.timestamp.body",
  secret: "standard",
  tolerance: STANDARD_TOLERANCE,
} satisfies SignatureScheme;

/** A received delivery; a body of text is encoded as UTF-8. */
interface SignedDelivery {
  /** The headers by lower-case name. */
  headers: Readonly<Record<string, string | undefined>>;
  body: string | Uint8Array;
}

/** Why a delivery is not valid. If several problems apply, the first in this order is reported. */
export type SignatureProblem =
  | "no_secret"
  | "bad_secret"
  | "no_signature"
  | "no_id"
  | "no_timestamp"
  | "wrong_signature"
  | "too_old"
  | "from_the_future";

export interface SecretCheck {
  is_readable: boolean;
  had_prefix: boolean;
  /** The length of the key in bytes. */
  key_length: number;
  /** The expected signature without prefix; null if the secret or the signed text is missing. */
  expected: string | null;
}

export interface SignatureCheck {
  /** Why the delivery is not valid; null for a valid one. */
  problem: SignatureProblem | null;
  /** Whether a secret made one of the signatures, whatever the timestamp. */
  is_authentic: boolean;
  id: string | null;
  /** The timestamp header as received. */
  timestamp: string | null;
  /** Milliseconds since 1970; null if the timestamp is unreadable. */
  signed_at: number | null;
  /** Seconds since `signed_at`; negative for a time in the future. */
  age: number | null;
  /** The signed bytes; null if a part of them is missing. */
  signed: Uint8Array<ArrayBuffer> | null;
  /** The received signatures that have the scheme's prefix; the prefix is removed. */
  given: string[];
  /** The check with each secret, in the order of the secrets. */
  secrets: SecretCheck[];
  /** The indexes of the matching secret and of its entry in `given`; null if none matches. */
  agreed: { secret: number; given: number } | null;
}

const SECRET_PREFIX = "whsec_";
const HASHES = { sha1: "SHA-1", sha256: "SHA-256", sha512: "SHA-512" } as const;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
// A number of at most fifteen digits is exact.
const TIMESTAMP = /^\d{1,15}$/;

/**
 * Whether the browser can compute signatures: not if it loaded the page from another machine
 * without TLS.
 */
export const canSign = (): boolean =>
  (globalThis.crypto as Partial<Crypto> | undefined)?.subtle !== undefined;

/** @returns null for a secret that is not in this format */
export function signingKeyOf(
  secret: string,
  form: SignatureScheme["secret"],
): Uint8Array<ArrayBuffer> | null {
  if (form === "text") return secret === "" ? null : new TextEncoder().encode(secret);
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  // atob accepts spaces, but other libraries do not.
  if (!BASE64.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** @returns the signature in the scheme's encoding, without prefix */
export async function hmac(
  key: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
  { algorithm, encoding }: Pick<SignatureScheme, "algorithm" | "encoding">,
): Promise<string> {
  const method = { name: "HMAC", hash: HASHES[algorithm] };
  const imported = await crypto.subtle.importKey("raw", key, method, false, ["sign"]);
  const made = new Uint8Array(await crypto.subtle.sign("HMAC", imported, signed));
  if (encoding === "base64") return btoa(String.fromCharCode(...made));
  return Array.from(made, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @returns null if a part that the scheme signs is missing */
function signedBytes(
  { signs }: SignatureScheme,
  parts: { id: string | null; timestamp: string | null; body: string | Uint8Array },
): Uint8Array<ArrayBuffer> | null {
  const labels = signs === "body" ? [] : [parts.timestamp];
  if (signs === "id.timestamp.body") labels.unshift(parts.id);
  if (labels.includes(null)) return null;
  const encoder = new TextEncoder();
  const head = encoder.encode(labels.map((label) => `${label}.`).join(""));
  const body = typeof parts.body === "string" ? encoder.encode(parts.body) : parts.body;
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  return signed;
}

/**
 * The signatures in a header that have the scheme's prefix, without it. They are separated by spaces,
 * or by commas if several headers of one name were joined; neither encoding contains a comma.
 */
function givenSignatures(value: string | undefined, prefix: string): string[] {
  const escaped = prefix.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const parts = (value ?? "").split(
    new RegExp(prefix === "" ? "[\\s,]+" : `\\s+|,(?=${escaped})`),
  );
  return parts
    .filter((part) => part !== "" && part.startsWith(prefix))
    .map((part) => part.slice(prefix.length).replace(/,.*$/, ""));
}

/**
 * Verifies a delivery and returns every step; works in browsers and on servers.
 * @param secrets all that are valid: two during a rotation
 * @param now milliseconds since 1970, by the receiver's clock
 */
export async function checkSignature(
  { headers, body }: SignedDelivery,
  secrets: readonly string[],
  now: number,
  scheme: SignatureScheme = STANDARD_SCHEME,
): Promise<SignatureCheck> {
  const id = valueOf(headers, scheme.headers.id);
  const timestamp = valueOf(headers, scheme.headers.timestamp);
  const seconds = timestamp !== null && TIMESTAMP.test(timestamp) ? Number(timestamp) : null;
  const signed = signedBytes(scheme, { id, timestamp, body });
  const received = givenSignatures(headers[scheme.headers.signature], scheme.prefix);
  const given = scheme.encoding === "hex" ? received.map((one) => one.toLowerCase()) : received;
  const steps = await Promise.all(secrets.map((secret) => secretStep(secret, signed, scheme)));
  const agreed = agreementOf(steps, given);
  const age = seconds === null ? null : Math.floor(now / 1_000) - seconds;
  const check = {
    is_authentic: agreed !== null,
    id,
    timestamp,
    signed_at: seconds === null ? null : seconds * 1_000,
    age,
    signed,
    given,
    secrets: steps,
    agreed,
  };
  return { problem: problemOf(check, scheme), ...check };
}

/** @returns the headers of the delivery, with one signature for each readable secret */
export async function signDelivery(
  { id, body }: { id: string; body: string | Uint8Array },
  secrets: readonly string[],
  now: number,
  scheme: SignatureScheme = STANDARD_SCHEME,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1_000));
  const signed = signedBytes(scheme, { id, timestamp, body });
  const steps = await Promise.all(secrets.map((secret) => secretStep(secret, signed, scheme)));
  const signatures = steps.flatMap(({ expected }) =>
    expected === null ? [] : [scheme.prefix + expected],
  );
  return {
    ...(scheme.headers.id && { [scheme.headers.id]: id }),
    ...(scheme.headers.timestamp && { [scheme.headers.timestamp]: timestamp }),
    [scheme.headers.signature]: signatures.join(" "),
  };
}

function valueOf(headers: SignedDelivery["headers"], name: string | null): string | null {
  const value = name === null ? undefined : headers[name];
  return value === undefined || value === "" ? null : value;
}

async function secretStep(
  secret: string,
  signed: Uint8Array<ArrayBuffer> | null,
  scheme: SignatureScheme,
): Promise<SecretCheck> {
  const key = signingKeyOf(secret, scheme.secret);
  return {
    is_readable: key !== null,
    had_prefix: secret.startsWith(SECRET_PREFIX),
    key_length: key?.length ?? 0,
    expected: key && signed ? await hmac(key, signed, scheme) : null,
  };
}

/** Compares all signatures to their ends: the response time must not reveal where they differ. */
function agreementOf(steps: readonly SecretCheck[], given: readonly string[]) {
  let agreed: SignatureCheck["agreed"] = null;
  for (const [secret, { expected }] of steps.entries())
    for (const [place, signature] of given.entries())
      if (expected !== null && isSame(expected, signature)) agreed ??= { secret, given: place };
  return agreed;
}

function isSame(left: string, right: string): boolean {
  let different = left.length ^ right.length;
  for (let at = 0; at < left.length; at++)
    different |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return different === 0;
}

function problemOf(
  check: Omit<SignatureCheck, "problem">,
  { headers, signs, tolerance }: SignatureScheme,
): SignatureProblem | null {
  const { secrets, given, age } = check;
  if (secrets.length === 0) return "no_secret";
  if (!secrets.some(({ is_readable }) => is_readable)) return "bad_secret";
  if (given.length === 0) return "no_signature";
  if (signs === "id.timestamp.body" && check.id === null) return "no_id";
  if ((headers.timestamp !== null || signs !== "body") && age === null) return "no_timestamp";
  if (!check.is_authentic) return "wrong_signature";
  if (age !== null && age > tolerance) return "too_old";
  if (age !== null && age < -tolerance) return "from_the_future";
  return null;
}

/** How a sender signs: Standard Webhooks by default, anything near it by setting. */
export interface SignatureScheme {
  /** Names of headers in small letters; null where the scheme sends none. */
  headers: { id: string | null; timestamp: string | null; signature: string };
  algorithm: SignatureAlgorithm;
  encoding: SignatureEncoding;
  /** What stands before each signature in its header. */
  prefix: string;
  signs: SignedParts;
  /** How the secret's characters become the key's bytes; "standard" is an optional whsec_ and base64. */
  secret: "standard" | "text";
  /** How far the timestamp may be from the receiver's clock, in seconds. */
  tolerance: number;
}

export type SignatureAlgorithm = "sha1" | "sha256" | "sha512";
export type SignatureEncoding = "base64" | "hex";
export type SignedParts = "id.timestamp.body" | "timestamp.body" | "body";

export const STANDARD_TOLERANCE = 300;

/** Standard Webhooks 1.0, as the embedded service signs. */
export const STANDARD_SCHEME: SignatureScheme = {
  headers: { id: "webhook-id", timestamp: "webhook-timestamp", signature: "webhook-signature" },
  algorithm: "sha256",
  encoding: "base64",
  prefix: "v1,",
  signs: "id.timestamp.body",
  secret: "standard",
  tolerance: STANDARD_TOLERANCE,
};

/** A delivery as it came: the body byte for byte, or as text that is encoded as UTF-8. */
export interface SignedDelivery {
  /** By name in small letters. */
  headers: Readonly<Record<string, string | undefined>>;
  body: string | Uint8Array;
}

/** Why a delivery is not to be believed; the first that holds, in this order. */
export type SignatureProblem =
  | "no_secret"
  | "bad_secret"
  | "no_signature"
  | "no_id"
  | "no_timestamp"
  | "wrong_signature"
  | "too_old"
  | "from_the_future";

/** What one secret gives. */
export interface SecretStep {
  /** False where the secret cannot be read as the scheme wants it. */
  is_readable: boolean;
  had_prefix: boolean;
  /** Length of the key in bytes. */
  key_length: number;
  /** What the signature had to be, without its prefix; null where the secret cannot be read. */
  expected: string | null;
}

export interface SignatureCheck {
  /** Null when the delivery is right in every respect. */
  problem: SignatureProblem | null;
  /** A secret made one of the signatures, whatever the clock says. */
  is_authentic: boolean;
  id: string | null;
  /** The header's own text. */
  timestamp: string | null;
  /** The moment of the attempt in milliseconds since 1970; null without a readable one. */
  signed_at: number | null;
  /** Seconds since then, negative from the future. */
  age: number | null;
  /** What was signed, in bytes; null where a part of it is missing. */
  signed: Uint8Array<ArrayBuffer> | null;
  /** The signatures that came, without their prefix; those of another prefix are left out. */
  given: string[];
  /** One for each secret, in their order. */
  secrets: SecretStep[];
  /** Which secret and which of `given` agree, by their places. */
  agreed: { secret: number; given: number } | null;
}

const SECRET_PREFIX = "whsec_";
const HASHES = { sha1: "SHA-1", sha256: "SHA-256", sha512: "SHA-512" } as const;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
// Fifteen digits keep every number exact.
const TIMESTAMP = /^\d{1,15}$/;

/** False in a browser that reads this page without TLS from another machine. */
export const canSign = (): boolean =>
  (globalThis.crypto as Partial<Crypto> | undefined)?.subtle !== undefined;

/** @returns null for what cannot be read as the scheme wants it */
export function keyOf(
  secret: string,
  form: SignatureScheme["secret"],
): Uint8Array<ArrayBuffer> | null {
  if (form === "text") return secret === "" ? null : new TextEncoder().encode(secret);
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  // What atob forgives (spaces) other libraries do not.
  if (!BASE64.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** The signature itself, in the scheme's encoding and without its prefix. */
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

/** @returns null where a part that the scheme signs is missing */
export function signedBytes(
  scheme: Pick<SignatureScheme, "signs">,
  parts: { id: string | null; timestamp: string | null; body: string | Uint8Array },
): Uint8Array<ArrayBuffer> | null {
  const before: string[] = [];
  if (scheme.signs === "id.timestamp.body") {
    if (parts.id === null) return null;
    before.push(`${parts.id}.`);
  }
  if (scheme.signs !== "body") {
    if (parts.timestamp === null) return null;
    before.push(`${parts.timestamp}.`);
  }
  const encoder = new TextEncoder();
  const head = encoder.encode(before.join(""));
  const body = typeof parts.body === "string" ? encoder.encode(parts.body) : parts.body;
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  return signed;
}

/**
 * The signatures of a header's value that bear the scheme's prefix, without it: beside each other, or
 * joined by commas as headers of one name are. Neither encoding has a comma of its own.
 */
export function givenSignatures(value: string | undefined, prefix: string): string[] {
  const marked = prefix.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const parts = (value ?? "").split(
    new RegExp(prefix === "" ? "[\\s,]+" : `\\s+|,(?=${marked})`),
  );
  return parts
    .filter((part) => part !== "" && part.startsWith(prefix))
    .map((part) => part.slice(prefix.length).replace(/,.*$/, ""));
}

/**
 * Verifies a delivery and keeps every step. Pure but for the runtime's WebCrypto: the same in a
 * browser and on a server.
 * @param now milliseconds since 1970, by the receiver's clock
 * @param secrets all that are in force: two while one replaces the other
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
  const came = givenSignatures(headers[scheme.headers.signature], scheme.prefix);
  const given = scheme.encoding === "hex" ? came.map((one) => one.toLowerCase()) : came;
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

/** The headers of a delivery that is signed anew, one signature for each readable secret. */
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
): Promise<SecretStep> {
  const key = keyOf(secret, scheme.secret);
  return {
    is_readable: key !== null,
    had_prefix: secret.startsWith(SECRET_PREFIX),
    key_length: key?.length ?? 0,
    expected: key && signed ? await hmac(key, signed, scheme) : null,
  };
}

/** All are compared, and each to its end, so that no answer's time tells where they part. */
function agreementOf(steps: readonly SecretStep[], given: readonly string[]) {
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

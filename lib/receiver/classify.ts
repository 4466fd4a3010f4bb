import "server-only";
import { createHash } from "node:crypto";
import * as z from "zod";
import {
  type SignatureCheck,
  type SignatureScheme,
  STANDARD_SCHEME,
  STANDARD_TOLERANCE,
  SIGNATURE_OPTIONS,
} from "#lib/signature.ts";
import {
  type DeliveryPayload,
  readPayload,
  type VerdictReason,
  type ReceivedVerdict,
  signedIdOf,
  signatureVerdict,
} from "./rules.ts";

const LONGEST_HEADER = 2_000;

/** A received delivery with its verdict. */
export interface ClassifiedDelivery {
  verdict: ReceivedVerdict;
  reason: VerdictReason | null;
  /** The parsed body; null if unreadable. */
  payload: DeliveryPayload | null;
  /** Deduplication id from signed content; null if nothing was signed. */
  delivery_id: string | null;
  /** A second id under which the same delivery may be stored. */
  earlier_id: string | null;
  /** The body as received; null if it is too long, or PostgreSQL cannot store it. */
  text: string | null;
}

/** @param bytes null for a body that is too long */
export function classifyDelivery(
  bytes: Uint8Array<ArrayBuffer> | null,
  check: SignatureCheck,
  scheme: SignatureScheme,
): ClassifiedDelivery {
  if (!bytes)
    return {
      verdict: "unreadable",
      reason: "too_large",
      payload: null,
      ...NO_IDS,
      text: null,
    };
  const text = textOf(bytes);
  const json = parse(text);
  const payload = readPayload(json);
  const verdict = signatureVerdict(check);
  const ids = check.is_authentic ? idsOf(scheme, check, { json, bytes }) : NO_IDS;
  if (!payload && (verdict === "verified" || verdict === "unverified"))
    return { verdict: "unreadable", reason: "not_json", payload, ...ids, text };
  const isExample = verdict === "verified" && payload?.is_example === true;
  return { verdict, reason: isExample ? "example" : check.problem, payload, ...ids, text };
}

/** The body as text; null if PostgreSQL cannot store it unchanged. */
function textOf(bytes: Uint8Array): string | null {
  try {
    // The byte order mark is part of the signed text.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text?.replace(/^\uFEFF/, "") ?? "");
  } catch {
    return undefined;
  }
}

const LONGEST_ID = 200;
const NO_IDS = { delivery_id: null, earlier_id: null };
/** Milliseconds for which senders retry; an equal body after that is a new delivery. */
const AGAIN_MS = 3 * 24 * 60 * 60 * 1_000;

/**
 * If no signed content names the delivery, an equal body counts as the same delivery: for some days
 * where the time is signed too, otherwise for good.
 */
function idsOf(
  scheme: SignatureScheme,
  check: SignatureCheck,
  { json, bytes }: { json: unknown; bytes: Uint8Array },
): Pick<ClassifiedDelivery, "delivery_id" | "earlier_id"> {
  const id = signedIdOf(scheme, check, json);
  if (id !== null && id.length <= LONGEST_ID) return { delivery_id: id, earlier_id: null };
  const hash = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  if (scheme.signs === "body" || check.signed_at === null)
    return { delivery_id: hash, earlier_id: null };
  const span = Math.floor(check.signed_at / AGAIN_MS);
  return { delivery_id: `${hash}:${span}`, earlier_id: `${hash}:${span - 1}` };
}

/** Headers of the signature and the sender, without those that proxies add. */
export function relevantHeaders(headers: Record<string, string>, scheme: SignatureScheme) {
  const names = ["content-type", "user-agent", ...Object.values(scheme.headers)];
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => names.includes(name) || name.startsWith("webhook-"))
      .map(cutShort),
  );
}

const MOST_HEADERS = 50;
const HEADER_NAME = /^[a-z0-9-]{1,100}$/;
/**
 * Headers that are not kept: credentials, hop-by-hop headers, and headers that proxies or HTTP
 * libraries add.
 */
const NOT_THE_SENDERS =
  /^(cookie2?|authorization|proxy-.+|forwarded|x-forwarded.*|x-real-ip|(x-)?(true-)?client-ip|x-cluster-client-ip|cf-.+|via|host|connection|keep-alive|te|trailers?|transfer-encoding|upgrade|http2-settings|content-length|content-encoding|accept.*|expect)$/;

/**
 * All headers of the sender: the signature scheme may be set later, and any of them may hold the
 * signature. A verified delivery needs only the relevant ones.
 */
export function checkableHeaders(headers: Record<string, string>, scheme: SignatureScheme) {
  const relevant = relevantHeaders(headers, scheme);
  const others = Object.entries(headers).filter(
    ([name]) => !(name in relevant) && HEADER_NAME.test(name) && !NOT_THE_SENDERS.test(name),
  );
  const room = Math.max(0, MOST_HEADERS - Object.keys(relevant).length);
  return { ...relevant, ...Object.fromEntries(others.slice(0, room).map(cutShort)) };
}

const cutShort = ([name, value]: [string, string]) => [name, value.slice(0, LONGEST_HEADER)];

const HeaderName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9-]{1,100}$/);

/** A signature scheme, as stored and as a form sends it. */
export const StoredScheme = z.object({
  headers: z.object({
    id: HeaderName.nullable(),
    timestamp: HeaderName.nullable(),
    signature: HeaderName,
  }),
  algorithm: z.enum(SIGNATURE_OPTIONS.algorithm),
  encoding: z.enum(SIGNATURE_OPTIONS.encoding),
  prefix: z.string().max(20),
  signs: z.enum(SIGNATURE_OPTIONS.signs),
  secret: z.enum(SIGNATURE_OPTIONS.secret),
  tolerance: z.int().min(30).max(3_600).default(STANDARD_TOLERANCE),
}) satisfies z.ZodType<SignatureScheme>;

/** The stored scheme; Standard Webhooks if it is unreadable. */
export const readStoredScheme = (stored: unknown): SignatureScheme =>
  StoredScheme.safeParse(stored).data ?? STANDARD_SCHEME;

import "server-only";
import { createHash } from "node:crypto";
import type { SignatureCheck, SignatureScheme } from "#lib/signature.ts";
import {
  readPayload,
  signedIdOf,
  verdictOf,
  type Reason,
  type DeliveryPayload,
  type ReceivedVerdict,
} from "./rules.ts";

const LONGEST_HEADER = 2_000;

/** What is to be made of a delivery. */
export interface ClassifiedDelivery {
  verdict: ReceivedVerdict;
  reason: Reason | null;
  /** Null where the body cannot be read. */
  payload: DeliveryPayload | null;
  /** What tells it apart from others, out of what is signed; null where nothing was. */
  delivery_id: string | null;
  /** Under which it may have come before as well. */
  earlier_id: string | null;
  /** As it came; null where PostgreSQL could not keep it. */
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
      delivery_id: null,
      earlier_id: null,
      text: null,
    };
  const text = textOf(bytes);
  const json = parse(text);
  const payload = readPayload(json);
  const verdict = verdictOf(check);
  const ids = check.is_authentic ? idsOf(scheme, check, { json, bytes }) : NO_IDS;
  if (!payload && (verdict === "verified" || verdict === "unverified"))
    return { verdict: "unreadable", reason: "not_json", payload, ...ids, text };
  const isExample = verdict === "verified" && payload?.is_example === true;
  return { verdict, reason: isExample ? "example" : check.problem, payload, ...ids, text };
}

/** Null where PostgreSQL could not keep it as it is. */
function textOf(bytes: Uint8Array): string | null {
  try {
    // The mark of byte order belongs to what was signed.
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
/** So long senders try again what was not answered; what is the same after it is another one. */
const AGAIN_MS = 3 * 24 * 60 * 60 * 1_000;

/**
 * Where nothing that is signed names the delivery, the same body is taken for the same delivery: for
 * some days where its time is signed as well, for ever where it is not.
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

/** What the signature is about, and who sent it; nothing that a proxy put there. */
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
/** Who somebody is, how it was sent on, and what the proxies between say of where it came from. */
const NOT_THE_SENDERS =
  /^(cookie2?|authorization|proxy-.+|forwarded|x-forwarded.*|x-real-ip|(x-)?(true-)?client-ip|x-cluster-client-ip|cf-.+|via|host|connection|keep-alive|te|trailers?|transfer-encoding|upgrade|http2-settings|content-length|content-encoding|accept.*|expect)$/;

/**
 * All of the sender's: how it signs may be said later, and then one of them is the signature. What was
 * signed rightly has shown which ones count.
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

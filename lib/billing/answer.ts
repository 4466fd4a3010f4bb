import "server-only";
import { readErrorMessages } from "#contract/errors.ts";
import { BillingError, type Failure } from "./errors.ts";

const LARGEST_BODY = 5_000_000;

/** The body as JSON; undefined when it is empty, cut off, too long or something else (HTML). */
export async function readJson(response: Response): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > LARGEST_BODY) return undefined;
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** What an answer that is no success means. */
export function failureOfAnswer(response: Response, body: unknown, isWrite: boolean): Failure {
  const { status } = response;
  if (status === 401) return { kind: "unauthorized" };
  if (status === 403) return { kind: "unverified" };
  if (status === 404) return { kind: "not_found" };
  if (status === 429)
    return { kind: "rate_limited", retry_after: retryAfter(response.headers) };
  if (status >= 500) return { kind: "unavailable", outcome_unknown: isWrite };
  const { detail, fields } = readErrorMessages(body);
  const hasFields = Object.keys(fields).length > 0;
  if (status >= 400 && hasFields) return { kind: "validation", fields, detail };
  // The specification answers 400 with `detail` where the record's state forbids the write.
  if (status >= 400 && detail !== null) return { kind: "conflict", detail };
  return { kind: "unexpected" };
}

function retryAfter(headers: Headers): number | null {
  const text = headers.get("retry-after");
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : null;
}

// The request never left, so nothing can have been done.
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** What it means when fetch itself threw: no connection, reset, timeout, cut-off answer. */
export function failureOfNetwork(error: unknown, isWrite: boolean): Failure {
  if (error instanceof BillingError) return error.failure;
  const cause = error instanceof Error ? error.cause : undefined;
  const code =
    typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
  return { kind: "unavailable", outcome_unknown: isWrite && !NEVER_SENT.has(code) };
}

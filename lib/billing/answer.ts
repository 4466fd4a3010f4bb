import "server-only";
import { AppError, type Failure } from "#lib/failure.ts";
import { message } from "#lib/i18n/message.ts";
import { readPlainMessages } from "./service-words.ts";

const LARGEST_BODY = 5_000_000;
const LARGEST_REFUSAL = 100_000;

/**
 * The body as JSON; undefined when it is empty, too long or something else (HTML).
 * @throws SyntaxError when it begins as JSON does and is cut off, and where nothing is left of it at all
 */
export async function readJson(
  response: Pick<Response, "body" | "headers" | "status">,
  largest: number = LARGEST_BODY,
): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > largest) return undefined;
    parts.push(part);
  }
  const text = new TextDecoder().decode(Buffer.concat(parts));
  const isCutOff =
    size === 0 && response.status === 200 && isOfType(response, "application/json");
  return isCutOff || /^\s*[[{]/.test(text) ? JSON.parse(text) : undefined;
}

/** The body of a refusal; its status counts even when the body breaks off or never ends. */
export async function readRefusal(response: Response): Promise<unknown> {
  if (response.status < 500) return readJson(response, LARGEST_REFUSAL).catch(() => undefined);
  await response.body?.cancel().catch(() => {});
  return undefined;
}

export interface AskedFor {
  isWrite: boolean;
  /** Answered before the account is verified too. */
  isOpen?: boolean | undefined;
}

/** What an answer that is no success means. */
export function failureOfAnswer(
  response: Response,
  body: unknown,
  { isWrite, isOpen = false }: AskedFor,
): Failure {
  const { status } = response;
  const { detail, fields } = readPlainMessages(body);
  const isWorded = detail !== null || Object.keys(fields).length > 0;
  if (status === 401) return { kind: "unauthorized" };
  // Of the products, or as a page, it is not the account that is meant: a firewall or a proxy.
  if (status === 403 && !isOpen && !isOfType(response, "text/html"))
    return { kind: "unverified" };
  if (status === 404 || status === 410) return { kind: "not_found" };
  if (status === 405 || status === 501) return { kind: "not_offered" };
  if (status === 429)
    return { kind: "rate_limited", retry_after: retryAfter(response.headers) };
  if (status >= 500 || status === 408)
    return { kind: "unavailable", outcome_unknown: isWrite, why: "failing" };
  if (status >= 400 && status !== 403 && isWorded) return refusal(status, detail, fields);
  const ours = OWN_WORDS[status];
  return ours ? { kind: "conflict", detail: ours, status } : { kind: "unexpected", status };
}

const isOfType = ({ headers }: Pick<Response, "headers">, type: string) =>
  headers.get("content-type")?.trim().toLowerCase().startsWith(type) ?? false;

// The specification answers 400 with `detail` where the record's state forbids the write.
function refusal(
  status: number,
  detail: string | null,
  fields: Record<string, string[]>,
): Failure {
  return detail !== null && Object.keys(fields).length === 0
    ? { kind: "conflict", detail, ...(status !== 400 && { status }) }
    : { kind: "validation", fields, detail };
}

const OWN_WORDS: Partial<Record<number, string>> = {
  409: message("failures.answers.conflict"),
  413: message("failures.answers.tooLong"),
  423: message("failures.answers.locked"),
};

const LONGEST_WAIT = 86_400;

/** In seconds; null when it is not told, not readable, or longer than anybody would wait. */
function retryAfter(headers: Headers): number | null {
  const text = headers.get("retry-after")?.trim() ?? "";
  // Date.parse takes nearly everything for a date.
  const isDate = /^[A-Z][a-z]+, .*\bGMT$/.test(text);
  const moment = isDate ? (Date.parse(text) - Date.now()) / 1000 : Number.NaN;
  const seconds = /^\d+$/.test(text) ? Number(text) : moment;
  if (!Number.isFinite(seconds) || seconds > LONGEST_WAIT) return null;
  return Math.max(1, Math.ceil(seconds));
}

// The request never left, so nothing can have been done.
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** What it means when fetch itself threw: no connection, reset, timeout, cut-off answer. */
export function failureOfNetwork(error: unknown, isWrite: boolean): Failure {
  if (error instanceof AppError) return error.failure;
  const cause = error instanceof Error ? error.cause : undefined;
  const code =
    typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
  const isTimeout = error instanceof Error && error.name === "TimeoutError";
  return {
    kind: "unavailable",
    outcome_unknown: isWrite && !NEVER_SENT.has(code),
    ...(isTimeout && { why: "timeout" }),
    // An answer that was cut off: as with a status of 500, the next one may be whole.
    ...(error instanceof SyntaxError && { why: "failing" }),
  };
}

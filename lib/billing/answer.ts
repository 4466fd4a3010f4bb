import "server-only";
import { AppError, type Failure, UNSHOWABLE_MESSAGE } from "#lib/failure.ts";
import { message } from "#lib/i18n/message.ts";
import { errorCode } from "#contract/process/log.ts";
import { type ErrorMessages, readErrorMessages } from "#contract/errors.ts";
import { hasHiddenCharacters } from "#lib/text/fold-text.ts";

const LARGEST_BODY = 5_000_000;
const LARGEST_REFUSAL = 100_000;

/** The body as JSON; undefined if it is too long or not JSON. @throws SyntaxError if it is cut off */
export async function readJson(
  response: Pick<Response, "body" | "headers" | "status">,
  largest: number = LARGEST_BODY,
): Promise<unknown> {
  const text = await readText(response, largest);
  if (text === undefined) return undefined;
  const isCutOff =
    text === "" && response.status === 200 && isOfType(response, "application/json");
  return isCutOff || /^\s*[[{]/.test(text) ? JSON.parse(text) : undefined;
}

/** The body; undefined if it is too long. */
export async function readText(
  response: Pick<Response, "body">,
  largest: number = LARGEST_BODY,
): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > largest) return undefined;
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

/** The body of a refusal; undefined if it is unreadable, and for a status of 500 or above. */
export async function readRefusal(response: Response): Promise<unknown> {
  if (response.status < 500) return readJson(response, LARGEST_REFUSAL).catch(() => undefined);
  await response.body?.cancel().catch(() => {});
  return undefined;
}

export interface RequestKind {
  isWrite: boolean;
  /** Whether the endpoint needs no verified account; see ApiCall. */
  isOpen?: boolean | undefined;
}

export function failureOfAnswer(
  response: Response,
  body: unknown,
  { isWrite, isOpen = false }: RequestKind,
): Failure {
  const { status } = response;
  const { detail, fields } = readPlainMessages(body);
  const isWorded = detail !== null || Object.keys(fields).length > 0;
  if (status === 401) return { kind: "unauthorized" };
  if (status === 403 && detail !== null && lacksScope(response))
    return refusal(status, detail, fields);
  // A 403 of an open endpoint, or as HTML, comes from a firewall or proxy.
  if (status === 403 && !isOpen && !isOfType(response, "text/html"))
    return { kind: "unverified" };
  if (status === 404) return { kind: "not_found" };
  if (status === 410) return { kind: "not_found", status };
  if (status === 405 || status === 501) return { kind: "not_offered" };
  if (status === 429)
    return { kind: "rate_limited", retry_after: retryAfter(response.headers) };
  if (status >= 500 || status === 408)
    return { kind: "unavailable", outcome_unknown: isWrite, why: "failing" };
  if (status >= 400 && status !== 403 && isWorded) return refusal(status, detail, fields);
  const detailOfStatus = STATUS_DETAILS[status];
  return detailOfStatus
    ? { kind: "conflict", detail: detailOfStatus, status }
    : { kind: "unexpected", status };
}

/** Whether the key is good, but may not do this (RFC 6750, 3.1). */
const lacksScope = ({ headers }: Pick<Response, "headers">) =>
  /\berror="insufficient_scope"/.test(headers.get("www-authenticate") ?? "");

const isOfType = ({ headers }: Pick<Response, "headers">, type: string) =>
  headers.get("content-type")?.trim().toLowerCase().startsWith(type) ?? false;

// The API answers 400 with `detail` if the record's state forbids the write.
function refusal(
  status: number,
  detail: string | null,
  fields: Record<string, string[]>,
): Failure {
  return detail !== null && Object.keys(fields).length === 0
    ? { kind: "conflict", detail, ...(status !== 400 && { status }) }
    : { kind: "validation", fields, detail };
}

const STATUS_DETAILS: Partial<Record<number, string>> = {
  409: message("failures.answers.conflict"),
  413: message("failures.answers.tooLong"),
  423: message("failures.answers.locked"),
};

const LONGEST_WAIT = 86_400;

/**
 * The wait that a refusal requests, in seconds; null when missing, unreadable or too long to wait
 * for.
 */
function retryAfter(headers: Headers): number | null {
  const text = headers.get("retry-after")?.trim() ?? "";
  // Date.parse accepts nearly any text.
  const isDate = /^[A-Z][a-z]+, .*\bGMT$/.test(text);
  const moment = isDate ? (Date.parse(text) - Date.now()) / 1000 : Number.NaN;
  const seconds = /^\d+$/.test(text) ? Number(text) : moment;
  if (!Number.isFinite(seconds) || seconds > LONGEST_WAIT) return null;
  return Math.max(1, Math.ceil(seconds));
}

const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** The code of the network error that caused an error of fetch; empty if there is none. */
export const networkErrorCode = (error: unknown): string =>
  errorCode(error instanceof Error ? error.cause : undefined);

/** The failure for an error of fetch: no connection, a reset, a timeout or a cut-off response. */
export function failureOfNetwork(error: unknown, isWrite: boolean): Failure {
  if (error instanceof AppError) return error.failure;
  const code = networkErrorCode(error);
  const isTimeout = error instanceof Error && error.name === "TimeoutError";
  return {
    kind: "unavailable",
    outcome_unknown: isWrite && !NEVER_SENT.has(code),
    ...(isTimeout && { why: "timeout" }),
    // A cut-off response counts like a status of 500.
    ...(error instanceof SyntaxError && { why: "failing" }),
  };
}

const LONGEST = 300;
const MOST_FIELDS = 20;

// Stack traces are meant for the service's operators and may hold secrets.
const BREAKDOWN =
  /Traceback \(most recent|\bFile "[^"]+", line \d|(?:^|\s)at \S+ \(?\S+:\d+(?::\d+)?\)?|\w\.(?:py|php|rb|js|ts|java|go):\d+/;
const MARKUP =
  /<(?:!doctype|!--|\/?(?:html|head|body|title|style|script|center|div|p|pre|h\d|table|span|img|svg|a|br|hr|b|i)\b)/i;

/** A service message that is fit to show; empty if it is markup or a stack trace. */
export function sanitizeServiceMessage(text: string): string {
  const beginning = text.slice(0, 10 * LONGEST);
  if (MARKUP.test(beginning) || BREAKDOWN.test(beginning)) return "";
  const line = beginning.replace(/\s+/g, " ").trim();
  const shown = Array.from(line).filter((letter) => !hasHiddenCharacters(letter));
  return shown.length > LONGEST
    ? `${shown.slice(0, LONGEST).join("").trimEnd()}…`
    : shown.join("");
}

/** The messages of a refusal that are fit to show. */
export function readPlainMessages(body: unknown): ErrorMessages {
  const { detail, fields } = readErrorMessages(body);
  const plain = Object.entries(fields)
    .slice(0, MOST_FIELDS)
    .map(([path, messages]) => [
      path,
      [sanitizeServiceMessage(messages.join(" ")) || UNSHOWABLE_MESSAGE],
    ]);
  return {
    detail: sanitizeServiceMessage(detail ?? "") || null,
    fields: Object.fromEntries(plain),
  };
}

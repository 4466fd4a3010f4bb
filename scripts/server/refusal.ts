import type { IncomingMessage, ServerResponse } from "node:http";
import { logSecurity } from "#lib/log.ts";
import { wasDatabaseAway } from "#lib/trace.ts";

/** Largest body of an action, in bytes; the limit of Next.js. */
const MOST_BYTES = 1_048_576;

interface Refusal {
  status: number;
  words: string;
}

type Head = Pick<IncomingMessage, "method" | "url" | "headers">;

const METHODS = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);
const UNREADABLE = { status: 400, words: "The arguments cannot be read." };
const NO_FORM = { status: 415, words: "This content type is not accepted here." };
const TOO_LARGE = { status: 413, words: "The request is too large." };

/**
 * Refuses malformed requests with 4xx that Next.js would answer with 500.
 * @param headers the headers of all answers that are not pages
 * @returns whether the request was refused; if not, the body of an action has arrived completely
 */
export async function refuseUnreadable(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Headers,
): Promise<boolean> {
  const refusal =
    requestRefusalOf(request) ?? (isAction(request) ? await refusalOfArguments(request) : null);
  if (!refusal) return false;
  const { status } = refusal;
  logSecurity(status === 403 ? "origin.refused" : "request.refused", { layer: "http", status });
  response.statusCode = refusal.status;
  response.setHeaders(headers);
  response.setHeader("content-type", "text/plain; charset=utf-8");
  response.setHeader("cache-control", "no-store");
  // An unread body would arrive as the next request.
  response.setHeader("connection", "close");
  response.end(`${refusal.words}\n`);
  return true;
}

/** Why a request is refused by its request line and headers; null if it is accepted. */
export function requestRefusalOf({ method = "", url = "", headers }: Head): Refusal | null {
  if (!METHODS.has(method)) return { status: 405, words: "This method is not supported." };
  const path = pathOf(url);
  if (path === null) return { status: 400, words: "The address cannot be read." };
  if (method === "GET" || method === "HEAD") return null;
  if (isRoute(path) && headers["next-action"] === undefined)
    return isForm(headers) && !TAKES_FORMS.test(path) ? NO_FORM : null;
  if (method !== "POST" || headers["next-action"] === undefined)
    return { status: 405, words: "Pages only accept GET." };
  if (!isOfThisHost(headers))
    return { status: 403, words: "Only pages of this site may send that." };
  // React sends forms and files as multipart; no action accepts them.
  if (!headers["content-type"]?.startsWith("text/plain")) return NO_FORM;
  const length = Number(headers["content-length"]);
  if (!Number.isSafeInteger(length))
    return { status: 411, words: "The Content-Length is missing." };
  return length > MOST_BYTES ? TOO_LARGE : null;
}

const isRoute = (path: string) => path.startsWith("/api/");

// Paths that accept forms; Next.js would take others for a form post to the page of a seller called
// "api".
const TAKES_FORMS = /^\/api\/(?:(?:auth|received)\/|unsubscribe\/[^/]+$)/;

const isForm = (headers: IncomingMessage["headers"]) =>
  /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/i.test(
    headers["content-type"] ?? "",
  );

const isAction = ({ method, headers }: Head) =>
  method === "POST" && headers["next-action"] !== undefined;

/** The path of a URL; null if Next.js could not decode it. */
function pathOf(url: string): string | null {
  try {
    const path = URL.parse(url, "http://localhost")?.pathname ?? null;
    return path === null || decodeURIComponent(path) === "" ? null : path;
  } catch {
    return null;
  }
}

/**
 * Whether the Origin header names this host. Without an Origin header, the action itself checks further.
 */
function isOfThisHost({ origin, host }: IncomingMessage["headers"]): boolean {
  return origin === undefined || URL.parse(origin)?.host === host;
}

async function refusalOfArguments(request: IncomingMessage): Promise<Refusal | null> {
  const body = await peek(request);
  return body === null || areActionArguments(body.toString()) ? null : UNREADABLE;
}

/** Reads the body and puts it back for Next.js. @returns null when the client disconnected */
async function peek(request: IncomingMessage): Promise<Buffer | null> {
  const length = Number(request.headers["content-length"]);
  const parts: Buffer[] = [];
  let missing = length;
  while (missing > 0) {
    const part = request.read() as Buffer | null;
    if (part) missing -= parts.push(part) && part.length;
    else if (!(await readable(request))) return null;
  }
  const body = Buffer.concat(parts);
  // Done before the end event, because afterwards the body cannot be put back.
  if (body.length > 0) request.unshift(body);
  return body;
}

function readable(request: IncomingMessage): Promise<boolean> {
  if (request.destroyed || request.readableEnded) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (is: boolean) => () => {
      for (const [name, listener] of listeners) request.off(name, listener);
      resolve(is);
    };
    const listeners = [
      ["readable", settle(true)],
      ["end", settle(false)],
      ["close", settle(false)],
    ] as const;
    for (const [name, listener] of listeners) request.on(name, listener);
  });
}

/** React encodes arguments as a list in which strings starting with "$" are references. */
export function areActionArguments(text: string): boolean {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && isReadable(list, list, 0);
  } catch {
    return false;
  }
}

/**
 * The deepest accepted nesting; React decodes recursively, so deep nesting would overflow its
 * stack.
 */
const DEEPEST = 100;
const MEANING = /^\$(?:\$|undefined$|NaN$|-?Infinity$|-0$|n-?\d{1,300}$)/;
const REPEATED = /^\$0((?::[^:]+)*)$/;

function isReadable(value: unknown, root: unknown, depth: number): boolean {
  if (typeof value === "string") return !value.startsWith("$") || hasMeaning(value, root);
  if (typeof value !== "object" || value === null) return true;
  if (depth > DEEPEST || Object.hasOwn(value, "__proto__")) return false;
  return Object.values(value).every((inner) => isReadable(inner, root, depth + 1));
}

function hasMeaning(text: string, root: unknown): boolean {
  if (MEANING.test(text)) return true;
  if (text.startsWith("$D")) return !Number.isNaN(Date.parse(text.slice(2)));
  const names = REPEATED.exec(text)?.[1]?.split(":").slice(1);
  let value = root;
  for (const name of names ?? []) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name))
      return false;
    value = (value as Record<string, unknown>)[name];
  }
  return names !== undefined;
}

/** Retry-After, in seconds. */
const RETRY_SOON = "2";

/** Answers 503 with Retry-After instead of 500 when the database was unreachable. */
export function answerDatabaseAway(response: ServerResponse): void {
  const write = response.writeHead.bind(response) as (...all: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    if (status !== 500 || !wasDatabaseAway()) return write(status, ...rest);
    response.setHeader("retry-after", RETRY_SOON);
    return write(503, ...rest);
  };
}

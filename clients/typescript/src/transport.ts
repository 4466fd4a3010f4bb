import { DuebookError, jsonOf, refusalOf, type DuebookErrorCode } from "./error.ts";
import { Pages, type Page } from "./pages.ts";

export interface DuebookOptions {
  /** Where the service answers, such as `https://billing.example`. */
  baseUrl: string;
  /** An API key or an account token. A secret: never in a page or an app. */
  apiKey: string;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds that one try may take, its answer included; 30,000 unless given. */
  timeout?: number | undefined;
  /** How often a failed request is tried again when that is safe; 2 unless given. */
  retries?: number | undefined;
}

export interface RequestOptions {
  /** Ends the request, and the wait for its next try. */
  signal?: AbortSignal | undefined;
  /** Milliseconds that one try may take, for this request. */
  timeout?: number | undefined;
}

export interface WriteOptions extends RequestOptions {
  /**
   * The idempotency key of the write, such as an order's number: within 24 hours the service does
   * it once and repeats its answer. Without it each call gets a new key, which its retries keep.
   */
  idempotencyKey?: string | undefined;
}

export interface Call {
  method: "GET" | "POST" | "PATCH";
  path: string;
  query?: object | undefined;
  body?: unknown;
  /** Whether the service takes an idempotency key, with which a repeated request is done once. */
  takesKey?: boolean;
  /** The header of the answer that shows a secret once, and the property that it becomes. */
  issued?: { header: string; property: string };
}

const TIMEOUT = 30_000;
const RETRIES = 2;
const FIRST_DELAY = 500;
const LONGEST_DELAY = 8_000;
/** A longer `Retry-After` is left to the caller. */
const LONGEST_WAIT = 60_000;
/** After these errors it is not known whether the service did what was asked. */
const LOST = new Set<DuebookErrorCode>(["timeout", "network", "unreadable"]);
const RETRIED = new Set([408, 429, 500, 502, 503, 504]);
// Headers allow no other characters; fetch would quote the value in its error.
const HEADER_TEXT = /^[\x21-\x7e]+$/;

export class Transport {
  readonly #baseUrl: string;
  readonly #authorization: string;
  readonly #fetch: typeof globalThis.fetch;
  readonly #timeout: number;
  readonly #retries: number;

  /** @throws DuebookError for options that cannot be used */
  constructor({ baseUrl, apiKey, fetch, timeout, retries }: DuebookOptions) {
    if (!HEADER_TEXT.test(apiKey)) throw new DuebookError("usage", "apiKey is no API key.");
    this.#baseUrl = readBaseUrl(baseUrl);
    this.#authorization = `Bearer ${apiKey}`;
    this.#fetch = fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#timeout = wholeNumber("timeout", timeout ?? TIMEOUT, 1);
    this.#retries = wholeNumber("retries", retries ?? RETRIES, 0);
  }

  list<Row, Found extends Page<Row>>(call: Call, options: RequestOptions): Pages<Row, Found> {
    return new Pages((query) => this.send<Found>(query ? { ...call, query } : call, options));
  }

  /** @throws DuebookError once no further try is safe or left */
  async send<Answer>(call: Call, options: WriteOptions): Promise<Answer> {
    const headers = this.#headersOf(call, options);
    const canRepeat = call.method === "GET" || call.takesKey === true;
    // Whether an earlier try may still be running at the service.
    let isUnsettled = false;
    for (let tries = 0; ; tries += 1)
      try {
        return await this.#attempt<Answer>(call, headers, options);
      } catch (error) {
        if (!(error instanceof DuebookError) || tries >= this.#retries) throw error;
        const { status, code } = error;
        const isSafe = canRepeat
          ? LOST.has(code) || RETRIED.has(status ?? 0) || (status === 409 && isUnsettled)
          : status === 429;
        const wait = waitBefore(tries, error);
        if (!isSafe || wait > LONGEST_WAIT) throw error;
        isUnsettled ||= LOST.has(code) || (status ?? 0) >= 500;
        await pause(wait, options.signal);
      }
  }

  async #attempt<Answer>(
    { method, path, query, body, issued }: Call,
    headers: Record<string, string>,
    { signal, timeout }: RequestOptions,
  ): Promise<Answer> {
    const milliseconds =
      timeout === undefined ? this.#timeout : wholeNumber("timeout", timeout, 1);
    if (signal?.aborted) throw aborted();
    const ending = new AbortController();
    const end = () => ending.abort();
    let isLate = false;
    const clock = setTimeout(() => {
      isLate = true;
      end();
    }, milliseconds);
    signal?.addEventListener("abort", end);
    let response: Response;
    let text: string;
    try {
      response = await this.#fetch(`${this.#baseUrl}${path}${searchOf(query)}`, {
        method,
        headers,
        signal: ending.signal,
        // A redirect would lose the key or the body.
        redirect: "manual",
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (error) {
      if (signal?.aborted) throw aborted();
      if (isLate)
        throw new DuebookError("timeout", `No answer within ${milliseconds} milliseconds.`);
      throw new DuebookError("network", `The service cannot be reached${reasonOf(error)}.`);
    } finally {
      clearTimeout(clock);
      signal?.removeEventListener("abort", end);
    }
    if (!response.ok) throw refusalOf(response, text);
    const answer = jsonOf(text);
    if (typeof answer !== "object" || answer === null)
      throw new DuebookError("unreadable", "The answer is not JSON.", {
        status: response.status,
        requestId: response.headers.get("x-request-id"),
      });
    const shown = issued && { [issued.property]: response.headers.get(issued.header) };
    return { ...answer, ...shown } as Answer;
  }

  #headersOf({ body, takesKey }: Call, { idempotencyKey }: WriteOptions) {
    if (idempotencyKey !== undefined && !HEADER_TEXT.test(idempotencyKey))
      throw new DuebookError("usage", "idempotencyKey has characters that a header cannot.");
    return {
      accept: "application/json",
      authorization: this.#authorization,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(takesKey && { "idempotency-key": idempotencyKey ?? crypto.randomUUID() }),
    };
  }
}

/** An id as a part of a path. @throws DuebookError for one that would lead to another path */
export function pathPart(id: string | number): string {
  const text = String(id);
  if (text === "" || text === "." || text === "..")
    throw new DuebookError("usage", "The id is missing.");
  return encodeURIComponent(text);
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw new DuebookError("usage", "baseUrl is no address such as https://billing.example.");
  return url.href.replace(/\/+$/, "");
}

function wholeNumber(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least) return value;
  throw new DuebookError("usage", `${name} is a whole number from ${least} on.`);
}

function searchOf(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value != null);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return search.size > 0 ? `?${search}` : "";
}

function reasonOf(error: unknown): string {
  const { cause } = Object(error) as { cause?: unknown };
  const { code } = Object(cause) as { code?: unknown };
  return typeof code === "string" && /^[A-Z_\d]+$/.test(code) ? ` (${code})` : "";
}

const aborted = () => new DuebookError("aborted", "The request was ended by its caller.");

/**
 * Milliseconds to wait: as many as the service asks for, else twice as many with each try, less a
 * random part of up to half.
 */
function waitBefore(tries: number, { retryAfter }: DuebookError): number {
  if (retryAfter !== null) return retryAfter * 1_000;
  const most = Math.min(FIRST_DELAY * 2 ** tries, LONGEST_DELAY);
  return most * (1 - Math.random() / 2);
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(clock);
      reject(aborted());
    };
    const clock = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", end, { once: true });
  });
}

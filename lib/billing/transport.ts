import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { REQUEST_ID_HEADER, TRACEPARENT_HEADER } from "#contract/process/tracing.ts";
import { inSpan, getTracing, type Span } from "#contract/process/tracing.ts";
import { logLine } from "#lib/log.ts";
import { currentRequestId, pathWithoutIds, getObserver } from "#lib/trace.ts";
import {
  failureOfAnswer,
  failureOfNetwork,
  readJson,
  readText,
  readRefusal,
  type RequestKind,
} from "./answer.ts";
import { AppError } from "#lib/failure.ts";
import type { ObservedRecords, ReadContext } from "./observe.ts";

/** What a response says about the key. `listed`: a success that an unverified account gets too. */
export type KeyResult = "good" | "listed" | "unverified" | "refused";

/**
 * A set of endpoints that a service may offer beyond the specified API. `deliveries` are those of
 * the sandbox; `account` has them too. `changes` is the feed of the account API.
 */
export type Extension = "sandbox" | "deliveries" | "account" | "changes";

export interface KeyInUse {
  apiKey: string;
  /** Extensions that the service lacked recently; they are not called. */
  unsupportedExtensions?: readonly Extension[];
  /** @param minutes for which it is not called; a day if left out */
  rememberUnsupported?: (extension: Extension, minutes?: number) => Promise<void>;
  /** Extensions that the service said it offers. */
  offeredExtensions?: readonly Extension[];
  rememberOffered?: (extension: Extension) => Promise<void>;
  /** Called after each success of an extension. */
  forgetUnsupported?: (extension: Extension) => Promise<void>;
  /** The search index that responses are written to; null or unset if there is none. */
  context?: ReadContext | null;
  /** Called after each response that concerns the key. */
  onKeyResult?: (result: KeyResult) => Promise<void>;
}

export interface TransportOptions {
  /** May end in a slash and may have a path prefix. */
  baseUrl: string;
  /** Called for each request, so that the decrypted key is not kept. */
  connect: () => Promise<KeyInUse>;
  /** The extension that is called; its responses say nothing about the key. */
  extension?: Extension;
  readTimeout?: number;
  writeTimeout?: number;
  /** Milliseconds before the one retry of a read; half of it is random. */
  retryDelay?: number;
  /** Receives the records of a response; must not throw. */
  observe?: (observed: ObservedRecords, context: ReadContext) => void;
}

export interface ApiCall<Answer> {
  /** The endpoint's path below the base URL, without slashes at its ends. */
  path: string;
  query?: Record<string, string | number | null>;
  body?: unknown;
  answer: z.ZodType<Answer>;
  /** Requires `results`: the tolerant schema would read any object as an empty page. */
  isPage?: boolean;
  /** Whether the answer is `{ text }`, the body as it came. */
  isText?: boolean;
  /** A repeated write with the same key and body is answered like the first. */
  idempotencyKey?: string;
  /** Response headers that are parsed as fields of the answer. */
  headers?: readonly string[];
  /** Whether the endpoint answers before the account is verified. */
  isOpen?: boolean;
  /** Ends the call, which throws then and is not repeated. */
  signal?: AbortSignal;
  /** @param answer null if the outcome of a write is unknown */
  observes?: (answer: Answer | null) => ObservedRecords | null;
}

/**
 * Calls the billing service: adds the key, limits the time, retries a read once and parses the
 * response. Never follows URLs in responses (`next`), so the key only goes to the configured host.
 * @throws AppError in `read` and `write`
 */
export class Transport {
  readonly #options: Required<Omit<TransportOptions, "observe" | "extension">> &
    Pick<TransportOptions, "observe" | "extension">;

  constructor(options: TransportOptions) {
    this.#options = { readTimeout: 10_000, writeTimeout: 15_000, retryDelay: 200, ...options };
  }

  async read<Answer>(call: ApiCall<Answer>): Promise<Answer> {
    const { retryDelay, readTimeout } = this.#options;
    const first = await this.#send("GET", call, readTimeout);
    if (first.ok || !first.worthRepeating) return settle(first);
    await delay(retryDelay * (0.5 + Math.random() / 2));
    return settle(await this.#send("GET", call, readTimeout));
  }

  /** Remembers that the service lacks this extension. @param minutes a day if left out */
  async rememberUnsupported(minutes?: number): Promise<void> {
    const { extension } = this.#options;
    const { rememberUnsupported } = await this.#options.connect();
    if (extension) await rememberUnsupported?.(extension, minutes);
  }

  /** Remembers that the service offers this extension, until it is found to be missing. */
  async rememberOffered(): Promise<void> {
    const { extension } = this.#options;
    const { rememberOffered } = await this.#options.connect();
    if (extension) await rememberOffered?.(extension);
  }

  /** Whether the service is known to offer this extension; null if it has to be asked. */
  async isKnownOffered(): Promise<boolean | null> {
    const { extension } = this.#options;
    const key = await this.#options.connect();
    if (!extension) return null;
    if (key.unsupportedExtensions?.includes(extension)) return false;
    return key.offeredExtensions?.includes(extension) ? true : null;
  }

  /** Never retried: a write whose response was lost may have been done. */
  async write<Answer>(call: ApiCall<Answer>, method: Write = "POST"): Promise<Answer> {
    return settle(await this.#send(method, call, this.#options.writeTimeout));
  }

  /** Metrics and traces contain the endpoint, never the record. */
  #send<Answer>(
    method: "GET" | Write,
    call: ApiCall<Answer>,
    timeout: number,
  ): Promise<Outcome<Answer>> {
    const endpoint = pathWithoutIds(call.path);
    const attributes = { "http.request.method": method, "url.template": endpoint };
    const observed = async (span: Span) => {
      const began = performance.now();
      const sent = await this.#ask(method, call, timeout);
      const outcome = sent.ok ? "ok" : sent.error.failure.kind;
      const seconds = (performance.now() - began) / 1_000;
      if (!call.signal?.aborted) getObserver()?.apiCall({ method, endpoint, outcome, seconds });
      span.set({ "duebook.outcome": outcome });
      return sent;
    };
    return inSpan(`${method} ${endpoint}`, attributes, observed, "client");
  }

  async #ask<Answer>(
    method: "GET" | Write,
    call: ApiCall<Answer>,
    timeout: number,
  ): Promise<Outcome<Answer>> {
    const isWrite = method !== "GET";
    const requestId = currentRequestId();
    const traceparent = getTracing()?.traceparent() ?? null;
    const { extension } = this.#options;
    const key = await this.#options.connect();
    if (extension && key.unsupportedExtensions?.includes(extension)) return NOT_THERE;
    const { apiKey, context } = key;
    const onKeyResult = extension ? undefined : key.onKeyResult;
    try {
      const response = await fetch(addressOf(this.#options.baseUrl, call), {
        method,
        headers: {
          accept: "application/json",
          // oxlint-disable-next-line duebook/words -- of HTTP
          authorization: `Bearer ${apiKey}`,
          ...(requestId !== null && { [REQUEST_ID_HEADER]: requestId }),
          ...(traceparent !== null && { [TRACEPARENT_HEADER]: traceparent }),
          ...(isWrite && { "content-type": "application/json" }),
          ...(call.idempotencyKey && { "idempotency-key": call.idempotencyKey }),
        },
        ...(isWrite && { body: JSON.stringify(call.body) }),
        // A redirect could carry the key to another host.
        redirect: "manual",
        cache: "no-store",
        signal: AbortSignal.any([AbortSignal.timeout(timeout), call.signal ?? []].flat()),
      });
      if (!response.ok) return await refuse(response, { ...call, isWrite }, onKeyResult);
      const json = call.isText
        ? { text: await readText(response) }
        : withHeaders(await readJson(response), response, call.headers);
      const outcome = inSpan("parse", {}, () => readAnswer(call, json, isWrite));
      if (outcome.ok) await onKeyResult?.(call.isOpen ? "listed" : "good");
      if (outcome.ok && extension) await key.forgetUnsupported?.(extension);
      if (outcome.ok || isWrite)
        this.#observe(call, outcome.ok ? outcome.value : null, context);
      return outcome;
    } catch (cause) {
      if (isWrite) this.#observe(call, null, context);
      const error = new AppError(failureOfNetwork(cause, isWrite), { cause });
      return { ok: false, error, worthRepeating: !call.signal?.aborted };
    }
  }

  #observe<Answer>(
    { observes }: ApiCall<Answer>,
    answer: Answer | null,
    context?: ReadContext | null,
  ) {
    const observed = context ? observes?.(answer) : null;
    if (observed && context) this.#options.observe?.(observed, context);
  }
}

type Write = "POST" | "PATCH";

type Outcome<Answer> =
  { ok: true; value: Answer } | { ok: false; error: AppError; worthRepeating: boolean };

const NOT_THERE: Outcome<never> = {
  ok: false,
  error: new AppError({ kind: "not_found" }),
  worthRepeating: false,
};

function settle<Answer>(outcome: Outcome<Answer>): Answer {
  if (outcome.ok) return outcome.value;
  throw outcome.error;
}

async function refuse(
  response: Response,
  asked: RequestKind,
  onKeyResult: KeyInUse["onKeyResult"],
): Promise<Outcome<never>> {
  const failure = failureOfAnswer(response, await readRefusal(response), asked);
  if (failure.kind === "unauthorized") await onKeyResult?.("refused");
  if (failure.kind === "unverified") await onKeyResult?.("unverified");
  const worthRepeating = [502, 503, 504].includes(response.status);
  return { ok: false, error: new AppError(failure), worthRepeating };
}

/** An unreadable success leaves the outcome of a write unknown. */
function readAnswer<Answer>(
  { path, answer, isPage }: ApiCall<Answer>,
  json: unknown,
  isWrite: boolean,
): Outcome<Answer> {
  const isReadable =
    isObject(json) && (!isPage || ("results" in json && Array.isArray(json.results)));
  const parsed = isReadable ? answer.safeParse(json) : null;
  if (parsed?.success) return { ok: true, value: parsed.data };
  logLine(`billing: the answer for ${nounOf(path)} has none of the known shapes`);
  const error = new AppError(
    isWrite ? { kind: "unavailable", outcome_unknown: true } : { kind: "unexpected" },
  );
  return { ok: false, error, worthRepeating: false };
}

function withHeaders(json: unknown, { headers }: Response, names: readonly string[] = []) {
  const given = names.filter((name) => headers.has(name));
  if (given.length === 0 || !isObject(json)) return json;
  return { ...json, ...Object.fromEntries(given.map((name) => [name, headers.get(name)])) };
}

const isObject = (json: unknown): json is object =>
  typeof json === "object" && json !== null && !Array.isArray(json);

/** The URL of a request: with the base URL's path, and the final slash that every route needs. */
function addressOf(
  baseUrl: string,
  { path, query = {} }: Pick<ApiCall<unknown>, "path" | "query">,
): URL {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}/`;
  for (const [name, value] of Object.entries(query)) {
    if (value !== null) url.searchParams.set(name, String(value));
  }
  return url;
}

/** A call that returns the body as it came, for example to show it as raw JSON. */
export const rawCall = (
  path: string,
  query: ApiCall<unknown>["query"] = {},
): ApiCall<{ text: string }> => ({
  path,
  query,
  isText: true,
  answer: RawAnswer,
});
const RawAnswer = z.object({ text: z.string() });

/** The first word of the path, for the log: an id would open a checkout. */
const nounOf = (path: string) => path.replace(/^api\/v1\//, "").split("/")[0];

/** An id can come from the address bar: "..", a slash or a query would reach another route. */
export function pathSegment(id: string): string {
  if (!/^[\w-]{1,100}$/.test(id)) throw new AppError({ kind: "not_found" });
  return id;
}

import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import type * as z from "zod";
import { REQUEST_ID_HEADER, TRACEPARENT_HEADER } from "#contract/requests.ts";
import { inSpan, tracing, type Span } from "#contract/process/tracing.ts";
import { logLine } from "#lib/log.ts";
import { currentRequestId } from "#lib/trace/current-request.ts";
import { endpointOf } from "#lib/trace/endpoint.ts";
import { observer } from "#lib/trace/observer.ts";
import {
  failureOfAnswer,
  failureOfNetwork,
  readJson,
  readRefusal,
  type AskedFor,
} from "./answer.ts";
import { AppError } from "#lib/failure.ts";
import type { ObservedRecords, ReadContext } from "./observe.ts";

/** What an answer says about the key. `listed`: a success that needs no verified account. */
export type KeyResult = "good" | "listed" | "unverified" | "refused";

/** What a service may offer beside the specified API. */
export type Extension = "sandbox" | "deliveries";

export interface KeyInUse {
  apiKey: string;
  /** Extensions that the service recently turned out not to have. They are not called. */
  unsupportedExtensions?: readonly Extension[];
  rememberUnsupported?: (extension: Extension) => Promise<void>;
  /** Called after each success of an extension. */
  forgetUnsupported?: (extension: Extension) => Promise<void>;
  /** Null without a search index; unset for a key that is only tried. */
  context?: ReadContext | null;
  /** Called after each answer that says something about the key. */
  onKeyResult?: (result: KeyResult) => Promise<void>;
}

export interface TransportOptions {
  /** May end in a slash and may carry a path prefix. */
  baseUrl: string;
  /** Asked for at each call, so that the open key lives no longer than the call. */
  connect: () => Promise<KeyInUse>;
  /** Beside the specified API: what a server answers there says nothing of the key. */
  extension?: Extension;
  readTimeout?: number;
  writeTimeout?: number;
  /** Milliseconds before the one repeat of a read; half of it is random. */
  retryDelay?: number;
  /** Called with the records that a call showed; neither waits nor throws. */
  observe?: (observed: ObservedRecords, context: ReadContext) => void;
}

export interface Call<Answer> {
  /** Below the base address, without slashes at its ends. */
  path: string;
  query?: Record<string, string | number | null>;
  body?: unknown;
  answer: z.ZodType<Answer>;
  /** A page has to hold `results`: the tolerant reading would take any object for an empty one. */
  isPage?: boolean;
  /** Headers that are read as fields of the answer, under their own names. */
  headers?: readonly string[];
  /** Answered before the account is verified too. */
  isOpen?: boolean;
  /** @param answer null when it was lost, and nobody knows what a write has done */
  observes?: (answer: Answer | null) => ObservedRecords | null;
}

/**
 * One call to the billing service: the key, the address, the time limit, one repeat of a read, and
 * the reading of what comes back. Addresses out of answers (`next`) are never followed, so the key
 * goes to the configured address only. Both methods throw AppError.
 */
export class Transport {
  readonly #options: Required<Omit<TransportOptions, "observe" | "extension">> &
    Pick<TransportOptions, "observe" | "extension">;

  constructor(options: TransportOptions) {
    this.#options = { readTimeout: 10_000, writeTimeout: 15_000, retryDelay: 200, ...options };
  }

  async read<Answer>(call: Call<Answer>): Promise<Answer> {
    const { retryDelay, readTimeout } = this.#options;
    const first = await this.#send("GET", call, readTimeout);
    if (first.ok || !first.worthRepeating) return settle(first);
    await delay(retryDelay * (0.5 + Math.random() / 2));
    return settle(await this.#send("GET", call, readTimeout));
  }

  /** The service turned out not to have this transport's door. */
  async rememberUnsupported(): Promise<void> {
    const { extension } = this.#options;
    const { rememberUnsupported } = await this.#options.connect();
    if (extension) await rememberUnsupported?.(extension);
  }

  /** Sent once: a write whose answer was lost may have been done. */
  async write<Answer>(call: Call<Answer>, method: Write = "POST"): Promise<Answer> {
    return settle(await this.#send(method, call, this.#options.writeTimeout));
  }

  /** Counted and traced by what is called, never by which record. */
  #send<Answer>(
    method: "GET" | Write,
    call: Call<Answer>,
    timeout: number,
  ): Promise<Outcome<Answer>> {
    const endpoint = endpointOf(call.path);
    const attributes = { "http.request.method": method, "url.template": endpoint };
    const observed = async (span: Span) => {
      const began = performance.now();
      const sent = await this.#ask(method, call, timeout);
      const outcome = sent.ok ? "ok" : sent.error.failure.kind;
      const seconds = (performance.now() - began) / 1_000;
      observer()?.apiCall({ method, endpoint, outcome, seconds });
      span.set({ "duebook.outcome": outcome });
      return sent;
    };
    return inSpan(`${method} ${endpoint}`, attributes, observed, "client");
  }

  async #ask<Answer>(
    method: "GET" | Write,
    call: Call<Answer>,
    timeout: number,
  ): Promise<Outcome<Answer>> {
    const isWrite = method !== "GET";
    const requestId = currentRequestId();
    const traceparent = tracing()?.traceparent() ?? null;
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
        },
        ...(isWrite && { body: JSON.stringify(call.body) }),
        // A redirect could carry the key to another host.
        redirect: "manual",
        cache: "no-store",
        signal: AbortSignal.timeout(timeout),
      });
      if (!response.ok) return await refuse(response, { ...call, isWrite }, onKeyResult);
      const json = withHeaders(await readJson(response), response, call.headers);
      const outcome = inSpan("parse", {}, () => readAnswer(call, json, isWrite));
      if (outcome.ok) await onKeyResult?.(call.isOpen ? "listed" : "good");
      if (outcome.ok && extension) await key.forgetUnsupported?.(extension);
      if (outcome.ok || isWrite)
        this.#observe(call, outcome.ok ? outcome.value : null, context);
      return outcome;
    } catch (cause) {
      if (isWrite) this.#observe(call, null, context);
      const error = new AppError(failureOfNetwork(cause, isWrite), { cause });
      return { ok: false, error, worthRepeating: true };
    }
  }

  #observe<Answer>(
    { observes }: Call<Answer>,
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

/** An answer that is no success; what it says of the key is passed on. */
async function refuse(
  response: Response,
  asked: AskedFor,
  onKeyResult: KeyInUse["onKeyResult"],
): Promise<Outcome<never>> {
  const failure = failureOfAnswer(response, await readRefusal(response), asked);
  if (failure.kind === "unauthorized") await onKeyResult?.("refused");
  if (failure.kind === "unverified") await onKeyResult?.("unverified");
  const worthRepeating = [502, 503, 504].includes(response.status);
  return { ok: false, error: new AppError(failure), worthRepeating };
}

/** A success that cannot be read: for a write the outcome is as unknown as without an answer. */
function readAnswer<Answer>(
  { path, answer, isPage }: Call<Answer>,
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

/** Keeps the base address's own path, and ends in the slash that every route of the API needs. */
function addressOf(
  baseUrl: string,
  { path, query = {} }: Pick<Call<unknown>, "path" | "query">,
): URL {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}/`;
  for (const [name, value] of Object.entries(query)) {
    if (value !== null) url.searchParams.set(name, String(value));
  }
  return url;
}

/** Its first part: an id opens a checkout, and a log is not for that. */
const nounOf = (path: string) => path.replace(/^api\/v1\//, "").split("/")[0];

/** An id comes from the address bar: "..", a slash or a query in it would reach another route. */
export function pathSegment(id: string): string {
  if (!/^[\w-]{1,100}$/.test(id)) throw new AppError({ kind: "not_found" });
  return id;
}

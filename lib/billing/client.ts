import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import type * as z from "zod";
import { ReceivedProductPage, type ProductPage } from "#contract/products.ts";
import {
  ReceivedCreatedSubscription,
  ReceivedSubscription,
  ReceivedSubscriptionPage,
  type CreatedSubscription,
  type CreateSubscription,
  type Subscription,
  type SubscriptionPage,
} from "#contract/subscriptions.ts";
import { logLine } from "#lib/log.ts";
import { failureOfAnswer, failureOfNetwork, readJson } from "./answer.ts";
import { BillingError } from "./errors.ts";

interface Options {
  /** May end in a slash and may carry a path prefix. */
  baseUrl: string;
  /** Asked for at each call, so that the open key lives no longer than the call. */
  apiKey: () => Promise<string>;
  readTimeout?: number;
  writeTimeout?: number;
  /** Milliseconds before the one repeat of a read; half of it is random. */
  retryDelay?: number;
}

interface Page {
  page: number;
  page_size: number;
}

interface Call<Answer> {
  path: string;
  query?: Record<string, string | number | null>;
  body?: unknown;
  answer: z.ZodType<Answer>;
  /** A page has to hold `results`: the tolerant reading would take any object for an empty one. */
  isPage?: boolean;
}

/**
 * The one way to the billing service: one method an endpoint, every answer parsed. Addresses out of
 * answers (`next`) are never followed, so the key goes to the configured address only.
 * Every method throws BillingError.
 */
export class BillingClient {
  readonly #options: Required<Options>;

  constructor(options: Options) {
    this.#options = { readTimeout: 10_000, writeTimeout: 15_000, retryDelay: 200, ...options };
  }

  listProducts({ page, page_size }: Page): Promise<ProductPage> {
    const query = { page, page_size };
    return this.#read({ path: "products", query, answer: ReceivedProductPage, isPage: true });
  }

  listSubscriptions(search: Page & { status: string | null }): Promise<SubscriptionPage> {
    const { status, page, page_size } = search;
    const query = { status, page, page_size };
    const answer = ReceivedSubscriptionPage;
    return this.#read({ path: "subscriptions", query, answer, isPage: true });
  }

  async getSubscription(subscription_id: string): Promise<Subscription> {
    const path = `subscriptions/${pathSegment(subscription_id)}`;
    return this.#read({ path, answer: ReceivedSubscription });
  }

  createSubscription(body: CreateSubscription): Promise<CreatedSubscription> {
    return this.#write({ path: "subscriptions", body, answer: ReceivedCreatedSubscription });
  }

  async #read<Answer>(call: Call<Answer>): Promise<Answer> {
    const { retryDelay, readTimeout } = this.#options;
    const first = await this.#send("GET", call, readTimeout);
    if (first.ok || !first.worthRepeating) return settle(first);
    await delay(retryDelay * (0.5 + Math.random() / 2));
    return settle(await this.#send("GET", call, readTimeout));
  }

  async #write<Answer>(call: Call<Answer>): Promise<Answer> {
    return settle(await this.#send("POST", call, this.#options.writeTimeout));
  }

  async #send<Answer>(
    method: "GET" | "POST",
    call: Call<Answer>,
    timeout: number,
  ): Promise<Outcome<Answer>> {
    const isWrite = method === "POST";
    const apiKey = await this.#options.apiKey();
    try {
      const response = await fetch(addressOf(this.#options.baseUrl, call), {
        method,
        headers: {
          accept: "application/json",
          authorization: `Bearer ${apiKey}`,
          ...(isWrite && { "content-type": "application/json" }),
        },
        ...(isWrite && { body: JSON.stringify(call.body) }),
        // A redirect could carry the key to another host.
        redirect: "manual",
        cache: "no-store",
        signal: AbortSignal.timeout(timeout),
      });
      const json = await readJson(response);
      if (!response.ok) {
        const error = new BillingError(failureOfAnswer(response, json, isWrite));
        return { ok: false, error, worthRepeating: [502, 503, 504].includes(response.status) };
      }
      return readAnswer(call, json, isWrite);
    } catch (error) {
      const failure = failureOfNetwork(error, isWrite);
      return { ok: false, error: new BillingError(failure), worthRepeating: true };
    }
  }
}

type Outcome<Answer> =
  { ok: true; value: Answer } | { ok: false; error: BillingError; worthRepeating: boolean };

function settle<Answer>(outcome: Outcome<Answer>): Answer {
  if (outcome.ok) return outcome.value;
  throw outcome.error;
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
  // Only the first part of the path: an id opens a checkout, and a log is not for that.
  logLine(`billing: the answer for ${path.split("/")[0]} has none of the known shapes`);
  const error = new BillingError(
    isWrite ? { kind: "unavailable", outcome_unknown: true } : { kind: "unexpected" },
  );
  return { ok: false, error, worthRepeating: false };
}

const isObject = (json: unknown): json is object =>
  typeof json === "object" && json !== null && !Array.isArray(json);

/** Keeps the base address's own path, and ends in the slash that every route of the API needs. */
function addressOf(
  baseUrl: string,
  { path, query = {} }: Pick<Call<unknown>, "path" | "query">,
): URL {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/api/v1/${path}/`;
  for (const [name, value] of Object.entries(query)) {
    if (value !== null) url.searchParams.set(name, String(value));
  }
  return url;
}

/** An id comes from the address bar: "..", a slash or a query in it would reach another route. */
function pathSegment(id: string): string {
  if (!/^[\w-]{1,100}$/.test(id)) throw new BillingError({ kind: "not_found" });
  return id;
}

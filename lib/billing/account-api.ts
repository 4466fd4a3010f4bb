import "server-only";
import type * as z from "zod";
import { ACCOUNT_ROOT } from "./discovery.ts";
import { pathSegment, rawCall, Transport, type ApiCall } from "./transport.ts";

type Query = ApiCall<unknown>["query"];

export interface AccountApiOptions {
  baseUrl: string;
  /** The account token; it is never sent to a browser. */
  token: string;
}

/** Longer than the service waits for a provider: up to 15 seconds. */
export const PROVIDER_CHECK = { writeTimeout: 20_000 };

/** Calls of the account API with the seller's account token. All methods throw AppError. */
export class AccountApi {
  readonly #transport: Transport;

  constructor({ baseUrl, token }: AccountApiOptions, timeouts: { writeTimeout?: number } = {}) {
    const connect = async () => ({ apiKey: token });
    this.#transport = new Transport({ baseUrl, connect, ...timeouts });
  }

  protected read<Answer>(path: string, answer: z.ZodType<Answer>, query: Query = {}) {
    return this.#transport.read({ path: `${ACCOUNT_ROOT}/${path}`, answer, query });
  }

  protected readPage<Answer>(path: string, answer: z.ZodType<Answer>, query: Query = {}) {
    return this.#transport.read({
      path: `${ACCOUNT_ROOT}/${path}`,
      answer,
      query,
      isPage: true,
    });
  }

  /** The answer as the service sends it. */
  protected async readRaw(path: string, query: Query = {}): Promise<string> {
    return (await this.#transport.read(rawCall(`${ACCOUNT_ROOT}/${path}`, query))).text;
  }

  protected write<Answer>(
    path: string,
    answer: z.ZodType<Answer>,
    body?: object,
    options: Pick<ApiCall<Answer>, "headers" | "idempotencyKey"> = {},
  ) {
    return this.#transport.write({ path: `${ACCOUNT_ROOT}/${path}`, answer, body, ...options });
  }

  protected change<Answer>(path: string, answer: z.ZodType<Answer>, body: object) {
    return this.#transport.write({ path: `${ACCOUNT_ROOT}/${path}`, answer, body }, "PATCH");
  }
}

/** Builds a path; an id that could lead to another path throws AppError `not_found`. */
export const pathWith = (texts: TemplateStringsArray, ...ids: (string | number)[]): string =>
  String.raw({ raw: texts }, ...ids.map((id) => pathSegment(String(id))));

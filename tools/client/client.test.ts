import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { duebook, type DuebookError } from "../../clients/typescript/src/duebook.ts";

const KEY = "dbk_test_0a1b2c3d4e5f_secretpart";

interface Sent {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}
type Answer = Response | Error | "never";

/** A client whose requests get the given answers in turn; the last one answers all others. */
function clientWith(answers: Answer[], options: { timeout?: number; retries?: number } = {}) {
  const sent: Sent[] = [];
  const fetch = (url: string, { method, headers, body, signal }: RequestInit) => {
    sent.push({ url, method, headers, body } as Sent);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Error) return Promise.reject(answer);
    if (answer instanceof Response) return Promise.resolve(answer.clone());
    return new Promise<Response>((_resolve, reject) =>
      signal?.addEventListener("abort", () => reject(new Error("ended"))),
    );
  };
  const client = duebook({
    baseUrl: "https://billing.example/",
    apiKey: KEY,
    fetch: fetch as typeof globalThis.fetch,
    ...options,
  });
  return { client, sent };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const page = (results: object[], next: string | null = null) =>
  json(200, { count: 2, next, previous: null, results });
const broken = () => json(503, { detail: "The service cannot reach its database." });

const ORDER = {
  pbp_id: "pbp_monthly",
  return_url: "https://shop.example/thanks",
  client: { phone: "9800000001", full_name: "Asmita Rai", email: "a@b.c", address: "Patan" },
};

const errorOf = async (promise: Promise<unknown>): Promise<DuebookError> =>
  promise.then(
    () => expect.unreachable("nothing was thrown"),
    (error: unknown) => error as DuebookError,
  );

describe("requests of the client", () => {
  test("a request carries the key, the query and the body", async () => {
    const { client, sent } = clientWith([json(200, { message: "Done." })]);
    await client.account.payments.list({ reference: "D6061684", day: undefined }).first();
    await client.account.webhooks.rotateSecret(4, { overlap_hours: 2 });
    expect(sent).toEqual([
      {
        url: "https://billing.example/account/v1/payments/?reference=D6061684",
        method: "GET",
        headers: { accept: "application/json", authorization: `Bearer ${KEY}` },
        body: undefined,
      },
      {
        url: "https://billing.example/account/v1/webhooks/4/rotate-secret/",
        method: "POST",
        headers: {
          accept: "application/json",
          authorization: `Bearer ${KEY}`,
          "content-type": "application/json",
          "idempotency-key": expect.stringMatching(/^[\da-f-]{36}$/) as string,
        },
        body: '{"overlap_hours":2}',
      },
    ]);
  });

  test("the path of the base URL is kept in request URLs", async () => {
    const { client, sent } = clientWith([page([])]);
    const fetch: typeof globalThis.fetch = async (url) => {
      sent.push({ url: url as string } as Sent);
      return page([]);
    };
    const below = duebook({ baseUrl: "https://shop.example/billing/", apiKey: KEY, fetch });
    await below.customers.list().first();
    await client.customers.list().first();
    expect(sent.map(({ url }) => url)).toEqual([
      "https://shop.example/billing/api/v1/customers/",
      "https://billing.example/api/v1/customers/",
    ]);
  });

  test.each(["", ".", ".."])(
    "the id %o is refused before a request is sent, and a slash in an id is escaped",
    async (id) => {
      const { client, sent } = clientWith([json(200, {})]);
      expect(() => client.subscriptions.get(id)).toThrow("The id is missing.");
      await client.subscriptions.get("../products");
      expect(sent.map(({ url }) => url)).toEqual([
        "https://billing.example/api/v1/subscriptions/..%2Fproducts/",
      ]);
    },
  );

  test.each([
    { baseUrl: "billing.example", apiKey: KEY },
    { baseUrl: "ftp://billing.example", apiKey: KEY },
    { baseUrl: "https://a:b@billing.example", apiKey: KEY },
    { baseUrl: "https://billing.example", apiKey: "" },
    { baseUrl: "https://billing.example", apiKey: "secret\npart" },
    { baseUrl: "https://billing.example", apiKey: KEY, retries: -1 },
    { baseUrl: "https://billing.example", apiKey: KEY, timeout: 0 },
  ])(
    "the options %o are refused, with an error that does not contain the option's text",
    (options) => {
      expect(() => duebook(options)).toThrow(
        expect.objectContaining({
          code: "usage",
          message: expect.not.stringMatching(/secret|a:b/) as string,
        }),
      );
    },
  );
});

describe("lists of the client", () => {
  test("are read page by page, always from the client's own host", async () => {
    const { client, sent } = clientWith([
      page([{ id: 2 }], "https://elsewhere.example/api/v1/customers/?page=2&page_size=1"),
      page([{ id: 1 }]),
    ]);
    const list = client.customers.list({ page_size: 1 });
    expect(sent).toEqual([]);
    const ids: number[] = [];
    for await (const { id } of list) ids.push(id);
    expect(ids).toEqual([2, 1]);
    expect(sent.map(({ url }) => url)).toEqual([
      "https://billing.example/api/v1/customers/?page_size=1",
      "https://billing.example/api/v1/customers/?page=2&page_size=1",
    ]);
  });

  test("end with an error when a page leads back to itself", async () => {
    const { client } = clientWith([page([{ id: 1 }], "/api/v1/customers/?page=2")]);
    const readAll = async () => {
      for await (const _row of client.customers.list());
    };
    expect(await errorOf(readAll())).toMatchObject({ code: "unreadable" });
  });
});

describe("errors of the client", () => {
  test.each<[Answer, object]>([
    [
      json(400, { return_url: ["Required."], client: "No." }, { "x-request-id": "r1" }),
      {
        code: "invalid",
        status: 400,
        message: "return_url: Required. client: No.",
        fields: { return_url: ["Required."], client: ["No."] },
        requestId: "r1",
      },
    ],
    [json(401, { detail: "Unknown key." }), { code: "unauthorized", message: "Unknown key." }],
    [json(403, { detail: "Not verified." }), { code: "forbidden", fields: {} }],
    [json(404, { detail: "Not found." }), { code: "not_found" }],
    [json(409, { detail: "Changed." }), { code: "conflict" }],
    [json(410, { detail: "Gone." }), { code: "gone" }],
    [json(422, { detail: "Used." }), { code: "key_reused" }],
    [json(429, {}, { "retry-after": "120" }), { code: "rate_limited", retryAfter: 120 }],
    [new Response("<h1>Moved</h1>", { status: 302 }), { code: "refused", status: 302 }],
    [
      new Response("<h1>Bad gateway</h1>", { status: 502 }),
      { code: "service_error", status: 502, message: "The service answered 502." },
    ],
    [new Response("<h1>Hello</h1>"), { code: "unreadable", status: 200 }],
    [
      new TypeError("failed: Bearer x", { cause: { code: "ECONNREFUSED" } }),
      {
        code: "network",
        status: null,
        message: "The service cannot be reached (ECONNREFUSED).",
      },
    ],
  ])(
    "the answer %o becomes an error with its code and without secrets",
    async (answer, expected) => {
      const { client } = clientWith([answer], { retries: 0 });
      const error = await errorOf(client.subscriptions.create(ORDER));
      expect(error).toMatchObject({ name: "DuebookError", ...expected });
      expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/secretpart|Bearer|Asmita/);
    },
  );

  test("a client printed as JSON shows no API key", () => {
    const { client } = clientWith([page([])]);
    expect(JSON.stringify(client)).not.toContain("secretpart");
    expect(Object.values(client.customers)).toEqual([]);
  });
});

describe("retries of the client", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });
  afterEach(() => vi.restoreAllMocks());

  const keysOf = (sent: Sent[]) =>
    new Set(sent.map(({ headers }) => headers["idempotency-key"]));

  test("a write keeps its idempotency key in all tries, and the next write has a different key", async () => {
    const { client, sent } = clientWith([
      broken(),
      new TypeError("reset"),
      json(201, { subscription_id: "a" }),
    ]);
    const made = client.subscriptions.create(ORDER);
    await vi.runAllTimersAsync();
    expect(await made).toEqual({ subscription_id: "a" });
    expect(sent).toHaveLength(3);
    expect(keysOf(sent).size).toBe(1);
    await client.subscriptions.create(ORDER);
    await client.subscriptions.create(ORDER, { idempotencyKey: "order-17" });
    expect(keysOf(sent).size).toBe(3);
    expect(keysOf(sent)).toContain("order-17");
  });

  test("the client waits as many seconds as Retry-After says", async () => {
    const { client, sent } = clientWith([json(429, {}, { "retry-after": "7" }), page([])]);
    const read = client.products.list().first();
    await vi.advanceTimersByTimeAsync(6_999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await read).results).toEqual([]);
    expect(sent).toHaveLength(2);
  });

  test("the client waits until the date that Retry-After names", async () => {
    vi.setSystemTime("2026-03-10T06:00:00Z");
    const date = { "retry-after": "Tue, 10 Mar 2026 06:00:05 GMT" };
    const { client, sent } = clientWith([json(503, {}, date), page([])]);
    const read = client.products.list().first();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await read;
    expect(sent).toHaveLength(2);
  });

  test("the client does not wait more than a minute, and returns the wait to its caller", async () => {
    const { client, sent } = clientWith([json(429, {}, { "retry-after": "61" })]);
    expect(await errorOf(client.products.list().first())).toMatchObject({ retryAfter: 61 });
    expect(sent).toHaveLength(1);
  });

  test("each wait between tries is longer than the one before, up to eight seconds", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { client } = clientWith([broken()], { retries: 7 });
    const started = Date.now();
    const failed = errorOf(client.products.list().first());
    await vi.runAllTimersAsync();
    expect(await failed).toMatchObject({ status: 503 });
    expect(Date.now() - started).toBe(500 + 1_000 + 2_000 + 4_000 + 8_000 * 3);
  });

  test.each([400, 401, 403, 404, 409, 410, 422, 501])(
    "a request that was answered with %i is not repeated",
    async (status) => {
      const { client, sent } = clientWith([json(status, { detail: "No." })]);
      expect(await errorOf(client.subscriptions.create(ORDER))).toMatchObject({ status });
      expect(sent).toHaveLength(1);
    },
  );

  test("a conflict after a lost answer is retried with the same idempotency key", async () => {
    const { client, sent } = clientWith(["never", json(409, {}), json(201, { id: 1 })], {
      timeout: 1_000,
    });
    const made = client.subscriptions.create(ORDER);
    await vi.runAllTimersAsync();
    expect(await made).toEqual({ id: 1 });
    expect(keysOf(sent).size).toBe(1);
  });

  test("a write without an idempotency key is retried only after a rate limit", async () => {
    const lost = clientWith([broken()]);
    expect(await errorOf(lost.client.sandbox.clock.next())).toMatchObject({ status: 503 });
    expect(lost.sent).toHaveLength(1);
    const limited = clientWith([json(429, {}, { "retry-after": "1" }), json(200, { undo: 1 })]);
    const moved = limited.client.sandbox.clock.next();
    await vi.runAllTimersAsync();
    expect(await moved).toEqual({ undo: 1 });
  });

  test("a try ends after its timeout, and the caller gets the error of the last try", async () => {
    const { client, sent } = clientWith(["never"], { timeout: 2_000 });
    const failed = errorOf(client.customers.list().first());
    await vi.advanceTimersByTimeAsync(1_999);
    expect(sent).toHaveLength(1);
    await vi.runAllTimersAsync();
    expect(await failed).toMatchObject({ code: "timeout", status: null });
    expect(sent).toHaveLength(3);
  });

  test("the caller's abort signal ends a running request and the wait for the next try", async () => {
    const running = clientWith(["never"]);
    const first = new AbortController();
    const ended = errorOf(running.client.subscriptions.get("a", { signal: first.signal }));
    first.abort();
    expect(await ended).toMatchObject({ code: "aborted" });
    expect(
      await errorOf(running.client.subscriptions.get("a", { signal: first.signal })),
    ).toMatchObject({ code: "aborted" });
    expect(running.sent).toHaveLength(1);

    const waiting = clientWith([json(429, {}, { "retry-after": "30" })]);
    const second = new AbortController();
    const stopped = errorOf(waiting.client.subscriptions.get("a", { signal: second.signal }));
    await vi.advanceTimersByTimeAsync(5_000);
    second.abort();
    expect(await stopped).toMatchObject({ code: "aborted" });
    expect(waiting.sent).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

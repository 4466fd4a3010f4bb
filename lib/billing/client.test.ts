import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CreateSubscription } from "#contract/subscriptions.ts";
import { BillingClient } from "./client.ts";
import { failureOf } from "./errors.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let answers: Answer[];
let seen: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[];
let port: number;
const server = createServer((request, response) => void respond(request, response));

async function respond(request: IncomingMessage, response: ServerResponse) {
  let body = "";
  for await (const part of request) body += part;
  seen.push({
    method: request.method ?? "",
    url: request.url ?? "",
    headers: request.headers,
    body,
  });
  // The last answer is given to every further request.
  const answer = answers.length > 1 ? answers.shift() : answers[0];
  answer?.(request, response);
}

beforeEach(async () => {
  answers = [];
  seen = [];
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const clientOf = (path = "") =>
  new BillingClient({
    baseUrl: `http://127.0.0.1:${port}${path}`,
    apiKey: async () => "sk_test_key",
    readTimeout: 150,
    writeTimeout: 150,
    retryDelay: 1,
  });

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(body));

const text =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": "text/html", ...headers }).end(body);

const hang: Answer = () => {};
const reset: Answer = (request) => void request.socket.destroy();

const emptyPage = { count: 0, next: null, previous: null, results: [] };
const search = { status: null, page: 1, page_size: 20 };
const record = { subscription_id: "s-1", status: "active", client: {}, product: {} };
const body: CreateSubscription = {
  pbp_id: "pbp_1",
  return_url: "https://shop.example/",
  client: {
    phone: "9800000000",
    full_name: "Asha",
    email: "asha@example.com",
    address: "Pokhara",
  },
};

async function failureOfCall(call: () => Promise<unknown>) {
  const error: unknown = await call().then(
    () => expect.fail("the call succeeded"),
    (reason: unknown) => reason,
  );
  return failureOf(error);
}

const list = () => clientOf().listSubscriptions(search);
const create = () => clientOf().createSubscription(body);

describe("a request", () => {
  test.each([
    ["", "/api/v1/subscriptions/?page=1&page_size=20"],
    ["/", "/api/v1/subscriptions/?page=1&page_size=20"],
    ["/billing/v2/", "/billing/v2/api/v1/subscriptions/?page=1&page_size=20"],
  ])("keeps the path %o of the base address", async (path, url) => {
    answers = [json(200, emptyPage)];
    await clientOf(path).listSubscriptions(search);
    expect(seen[0]?.url).toBe(url);
    expect(seen[0]?.headers.authorization).toBe("Bearer sk_test_key");
  });

  test("asks for one status and for pages by number", async () => {
    answers = [json(200, { ...emptyPage, next: "http://elsewhere.invalid/steal" })];
    await clientOf().listSubscriptions({ status: "due", page: 3, page_size: 50 });
    await clientOf().listProducts({ page: 2, page_size: 100 });
    expect(seen.map(({ url }) => url)).toEqual([
      "/api/v1/subscriptions/?status=due&page=3&page_size=50",
      "/api/v1/products/?page=2&page_size=100",
    ]);
  });

  test("writes JSON to the slashed address", async () => {
    answers = [
      json(201, { subscription_id: "s-1", checkout_url: "https://pay.example/pay/s-1" }),
    ];
    const created = await create();
    expect(created.subscription_id).toBe("s-1");
    expect(seen[0]).toMatchObject({ method: "POST", url: "/api/v1/subscriptions/" });
    expect(seen[0]?.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(seen[0]?.body ?? "")).toEqual(body);
  });

  test.each(["..", ".", "", "a/b", "a?b", "a%2fb", "x".repeat(101)])(
    "never reaches another route through the id %o",
    async (id) => {
      const failure = await failureOfCall(() => clientOf().getSubscription(id));
      expect(failure.kind).toBe("not_found");
      expect(seen).toHaveLength(0);
    },
  );

  test("shows its key to nobody who holds the client", () => {
    expect(JSON.stringify(clientOf())).toBe("{}");
  });
});

describe("a success", () => {
  test("may have fields we do not know, and lack most that we do", async () => {
    answers = [json(200, { ...record, status: "on_holiday", mood: "fine", client: null })];
    const read = await clientOf().getSubscription("s-1");
    expect(read.status).toBe("on_holiday");
    expect(read.client.full_name).toBe("");
  });

  test.each([
    ["HTML", text(200, "<h1>It works!</h1>")],
    ["nothing", text(200, "")],
    ["cut-off JSON", text(200, '{"count": 1, "results": [')],
    ["an object that is no page", json(200, { hello: "world" })],
    ["an array", json(200, [])],
    ["null", json(200, null)],
    ["6 MB", text(200, `{"results": [], "pad": "${"x".repeat(6_000_000)}"}`)],
    ["rows without an id", json(200, { ...emptyPage, results: [{}] })],
  ])("that is %s is an unexpected answer, not a crash", async (_name, answer) => {
    answers = [answer];
    expect(await failureOfCall(list)).toEqual({ kind: "unexpected" });
    expect(seen).toHaveLength(1);
  });
});

describe("a failure", () => {
  test.each([
    [json(401, { detail: "No." }), { kind: "unauthorized" }],
    [json(403, { detail: "No." }), { kind: "unverified" }],
    [json(404, { detail: "No." }), { kind: "not_found" }],
    [text(404, "<h1>Not Found</h1>"), { kind: "not_found" }],
    [json(429, {}, { "retry-after": "7" }), { kind: "rate_limited", retry_after: 7 }],
    [text(429, "slow down"), { kind: "rate_limited", retry_after: null }],
    [text(400, "<h1>Bad Request</h1>"), { kind: "unexpected" }],
    [text(418, ""), { kind: "unexpected" }],
    [
      json(400, { status: ["Not a status."] }),
      { kind: "validation", fields: { status: ["Not a status."] }, detail: null },
    ],
  ])("of a read is told in our words (%#)", async (answer, failure) => {
    answers = [answer];
    expect(await failureOfCall(list)).toEqual(failure);
    expect(seen).toHaveLength(1);
  });

  test.each([301, 302, 307, 308])("of kind %i is not followed", async (status) => {
    answers = [text(status, "", { location: `http://127.0.0.1:${port}/elsewhere` })];
    expect(await failureOfCall(list)).toEqual({ kind: "unexpected" });
    expect(seen).toHaveLength(1);
  });

  test("of nested fields lands on their paths, in either shape", async () => {
    answers = [
      json(400, { client: { billing: { billing_email: ["Wrong."] } }, pbp_id: "Unknown." }),
      json(400, { client: ["phone: Too short."] }),
    ];
    expect(await failureOfCall(create)).toEqual({
      kind: "validation",
      fields: { "client.billing.billing_email": ["Wrong."], pbp_id: ["Unknown."] },
      detail: null,
    });
    expect(await failureOfCall(create)).toMatchObject({
      fields: { "client.phone": ["Too short."] },
    });
  });

  test("that is a duplicate is a conflict in the service's words", async () => {
    answers = [json(400, { detail: "An active subscription exists." })];
    const failure = await failureOfCall(create);
    expect(failure).toEqual({ kind: "conflict", detail: "An active subscription exists." });
  });
});

describe("a service that is away", () => {
  test.each([
    ["resets the connection", reset],
    ["hangs", hang],
    ["answers 502", text(502, "<h1>Bad Gateway</h1>")],
    ["answers 503", json(503, { detail: "Later." })],
    ["answers 504", text(504, "")],
  ])("is asked once more when it %s, and then used", async (_name, answer) => {
    answers = [answer, json(200, emptyPage)];
    await expect(list()).resolves.toMatchObject({ results: [] });
    expect(seen).toHaveLength(2);
  });

  test.each([
    ["resets the connection", reset, 2],
    ["hangs", hang, 2],
    ["answers 503", json(503, {}), 2],
    ["answers 500", text(500, "Traceback (most recent call last)"), 1],
  ])("is unavailable when it %s every time", async (_name, answer, asked) => {
    answers = [answer];
    expect(await failureOfCall(list)).toEqual({ kind: "unavailable", outcome_unknown: false });
    expect(seen).toHaveLength(asked);
  });

  test.each([
    ["resets the connection", reset],
    ["hangs", hang],
    ["answers 502", text(502, "")],
    ["answers 201 in HTML", text(201, "<h1>Created</h1>")],
  ])(
    "leaves the outcome of a write unknown when it %s, and is not asked again",
    async (_name, answer) => {
      answers = [answer];
      expect(await failureOfCall(create)).toEqual({
        kind: "unavailable",
        outcome_unknown: true,
      });
      expect(seen).toHaveLength(1);
    },
  );

  test("cannot have done anything when nothing listens", async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await failureOfCall(create)).toEqual({
      kind: "unavailable",
      outcome_unknown: false,
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  });
});

import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { translatorOf } from "#tools/testing/messages.ts";
import { describeKeyCheck, type KeyCheck } from "./key-check-result.ts";
import { checkKey } from "./check-key.ts";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const PAGE = { count: 0, next: null, previous: null, results: [] };

/** A service that answers for products and subscriptions with these statuses or bodies. */
const service = (products: number | object, subscriptions: number | object = PAGE) =>
  serve((request, response) => {
    const answer = request.url?.startsWith("/api/v1/products/") ? products : subscriptions;
    const status = typeof answer === "number" ? answer : 200;
    const body = typeof answer === "number" ? { detail: "In words." } : answer;
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(body));
  });

/** A service that grants the key no reading; see RFC 6750, 3.1. */
const writeOnly = () =>
  serve((_request, response) =>
    response
      .writeHead(403, {
        "content-type": "application/json",
        "www-authenticate": 'Bearer error="insufficient_scope", scope="read"',
      })
      .end(JSON.stringify({ detail: "This API key lacks the scope read; it has write." })),
  );

const html = (status: number, headers = {}) =>
  serve((_request, response) => void response.writeHead(status, headers).end("<h1>Hello</h1>"));

const tryAt = (own: string, other: string | null = null, timeout = 5_000) =>
  checkKey("sk_test_key", { own, other }, timeout);

test.each<[string, KeyCheck["kind"], () => Promise<string>]>([
  ["answers for products and subscriptions", "good", () => service(PAGE)],
  ["answers only for products", "unverified", () => service(PAGE, 403)],
  ["lets the key only write", "no_reading", writeOnly],
  ["rejects the key", "refused", () => service(401)],
  ["fails", "troubled", () => service(500)],
  ["has a proxy that answers 502", "troubled", () => html(502)],
  ["answers 403 even for products", "not_this_api", () => service(403)],
  ["answers 404 for products", "not_this_api", () => service(404)],
  ["serves a website", "not_this_api", () => html(200)],
  ["redirects", "not_this_api", () => html(302, { location: "http://elsewhere.invalid/" })],
  ["returns other JSON", "not_this_api", () => service({ hello: "world" })],
  ["nests the rows in another field", "not_this_api", () => service({ data: PAGE })],
])("a key check at a host that %s gives the result %s", async (_name, kind, start) => {
  await expect(tryAt(await start())).resolves.toEqual({ kind });
});

test("a rate-limited key check returns how long to wait", async () => {
  const slow = await serve((_request, response) =>
    response.writeHead(429, { "retry-after": "90" }).end("{}"),
  );
  const finding = await tryAt(slow);
  expect(finding).toEqual({ kind: "rate_limited", retry_after: 90 });
  expect(describeKeyCheck(translatorOf("connection"), finding, "test")).toEqual({
    title: "The billing service asked us to slow down.",
    advice: "The key was not checked, and nothing was changed. Try again in 2 minutes.",
  });
  await expect(tryAt(await service(429))).resolves.toEqual({
    kind: "rate_limited",
    retry_after: null,
  });
});

async function closedPort() {
  const address = await service(PAGE);
  stops.pop()?.();
  return address;
}

test.each<[string, string, () => Promise<string>]>([
  ["does not respond", "timeout", () => serve(() => {})],
  ["refuses connections", "refused", closedPort],
  ["has an unknown name", "unknown_host", async () => "http://no-such-host.invalid"],
  ["closes the connection", "broken", () => serve((request) => void request.socket.destroy())],
  ["has no TLS", "tls", async () => (await service(PAGE)).replace("http:", "https:")],
])(
  "a key check at a host that %s gets no answer, for the reason %s",
  async (_name, why, start) => {
    const timeout = why === "timeout" ? 150 : 5_000;
    await expect(tryAt(await start(), null, timeout)).resolves.toEqual({
      kind: "no_answer",
      why,
    });
  },
);

test("a refused key counts as a key of the other mode only if the other mode's host accepts it", async () => {
  const here = await service(401);
  for (const accepting of [await service(PAGE, 403), await writeOnly()])
    await expect(tryAt(here, accepting)).resolves.toEqual({ kind: "other_mode" });
  await expect(tryAt(here, await service(401))).resolves.toEqual({ kind: "refused" });
  await expect(tryAt(here, await html(200))).resolves.toEqual({ kind: "refused" });
});

test("a key is not sent to the other mode's host unless its own mode's host refused it", async () => {
  let asked = 0;
  const other = await serve((_request, response) => {
    asked += 1;
    response.end("{}");
  });
  for (const own of [
    await service(PAGE),
    await service(500),
    await html(200),
    await closedPort(),
  ])
    await tryAt(own, other);
  expect(asked).toBe(0);
});

test("every result of a key check has a title and advice", () => {
  const kinds = [
    "good",
    "unverified",
    "no_reading",
    "refused",
    "other_mode",
    "troubled",
    "not_this_api",
  ];
  const findings = [
    ...kinds.map((kind) => ({ kind }) as KeyCheck),
    ...(["timeout", "unknown_host", "refused", "tls", "broken"] as const).map(
      (why): KeyCheck => ({ kind: "no_answer", why }),
    ),
  ];
  for (const finding of findings) {
    const { title, advice } = describeKeyCheck(translatorOf("connection"), finding, "test");
    expect(title).toMatch(/^[A-Z].*\.$/);
    expect(advice).toMatch(/^[A-Z].*\.$/);
  }
});

import { randomUUID } from "node:crypto";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GeneralError } from "#contract/errors.ts";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";
import { buildApp, type AppOptions } from "../app.ts";
import { createMetrics, serveMetrics } from "../metrics.ts";
import { revokeKey } from "../sellers/key-store.ts";
import { readKey } from "../sellers/key.ts";
import {
  testBuyer,
  createCatalogue,
  startTestService,
  type TestService,
} from "../testing/service.ts";

let database: TestDatabase;
let service: TestService;
beforeAll(async () => {
  database = await createTestDatabase("service");
  service = await startTestService(database.url);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

async function buildWith(options: AppOptions) {
  const { pool, clock } = service;
  const context = { pool, now: clock.now, publicUrl: "http://billing.test" };
  const app = await buildApp({ ...context, mode: "test" }, options);
  const get = (key: string, url = "/api/v1/products/", remoteAddress = "127.0.0.1") =>
    app.inject({ url, remoteAddress, headers: { authorization: `Bearer ${key}` } });
  return { app, get };
}

const wrongKey = () => `dbk_test_${"0".repeat(12)}_${"x".repeat(43)}`;

test("an API key over its rate limit gets 429 with Retry-After, and another key is still accepted", async () => {
  const { app, get } = await buildWith({ limits: { perKey: 3, failedKeys: 0 } });
  const [one, other] = [await service.createSeller(), await service.createSeller()];
  const statuses = [];
  for (let index = 0; index < 4; index += 1) statuses.push((await get(one.key)).statusCode);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const refused = await get(one.key);
  expect(refused.headers["retry-after"]).toBe("20");
  expect(GeneralError.parse(refused.json()).detail).toContain("20 s");
  expect((await get(other.key)).statusCode).toBe(200);
  await app.close();
});

test("an IP address that sends wrong keys gets 429, except with a key that it used before", async () => {
  const { app, get } = await buildWith({ limits: { perKey: 0, failedKeys: 2 } });
  const { key } = await service.createSeller();
  const fresh = await service.createSeller();
  expect((await get(key)).statusCode).toBe(200);
  expect((await get(wrongKey())).statusCode).toBe(401);
  expect((await get("no key at all")).statusCode).toBe(401);
  expect((await get(wrongKey())).statusCode).toBe(429);
  expect((await get(fresh.key)).statusCode).toBe(429);
  expect((await get(key)).statusCode).toBe(200);
  expect((await get(wrongKey(), undefined, "10.0.0.9")).statusCode).toBe(401);
  await app.close();
});

test("all addresses of one IPv6 network count as one sender of wrong keys", async () => {
  const { app, get } = await buildWith({ limits: { perKey: 0, failedKeys: 3 } });
  const from = async (address: string) =>
    (await get(wrongKey(), undefined, address)).statusCode;
  const sent = [
    "2001:db8:1:2::1",
    "2001:db8:1:2::2",
    "2001:db8:1:2:3:4:5:6",
    "2001:db8:1:2::4",
  ];
  const answers: number[] = [];
  for (const address of sent) answers.push(await from(address));
  expect(answers).toEqual([401, 401, 401, 429]);
  expect(await from("2001:db8:1:3::1")).toBe(401);
  await app.close();
});

test("with one trusted proxy, only the last X-Forwarded-For entry counts as the caller's address", async () => {
  const { app } = await buildWith({ limits: { perKey: 0, failedKeys: 1 }, trustedProxies: 1 });
  const from = (forwarded: string) =>
    app.inject({
      url: "/api/v1/products/",
      headers: { authorization: `Bearer ${wrongKey()}`, "x-forwarded-for": forwarded },
    });
  expect((await from("198.51.100.1")).statusCode).toBe(401);
  expect((await from("198.51.100.2")).statusCode).toBe(401);
  // The caller's own entries come before the proxy's and are ignored.
  expect((await from("203.0.113.7, 198.51.100.1")).statusCode).toBe(429);
  await app.close();
});

test("every answer forbids content sniffing, framing and scripts, and sends HSTS if the public URL is https", async () => {
  const { pool, clock } = service;
  const context = { pool, now: clock.now, mode: "test" as const };
  const open = await buildApp({ ...context, publicUrl: "http://billing.test" });
  const secure = await buildApp({ ...context, publicUrl: "https://billing.test" });
  for (const url of [
    "/api/v1/products/",
    "/api/v1/nothing/",
    "/api/docs",
    "/api/openapi.json",
    "/pay/none",
    "/pay-assets/checkout.css",
    "/media/products/none.svg",
    "/healthz",
    "/%E0%A4%A",
  ]) {
    const { headers } = await secure.inject({ url });
    expect([url, headers["x-content-type-options"]]).toEqual([url, "nosniff"]);
    expect([url, headers["referrer-policy"]]).toEqual([url, "no-referrer"]);
    expect([url, headers["strict-transport-security"]]).toEqual([
      url,
      "max-age=31536000; includeSubDomains",
    ]);
    const policy = headers["content-security-policy"];
    expect([url, policy]).toEqual([url, expect.stringContaining("default-src 'none'")]);
    expect([url, policy]).toEqual([url, expect.stringContaining("base-uri 'none'")]);
    expect([url, policy]).toEqual([url, expect.stringContaining("frame-ancestors 'none'")]);
    const plain = await open.inject({ url });
    expect([url, plain.headers["strict-transport-security"]]).toEqual([url, undefined]);
  }
  await Promise.all([open.close(), secure.close()]);
});

test("a revoked API key gets 401 with the next request", async () => {
  const { key } = await service.createSeller();
  const { app, get } = await buildWith({});
  expect((await get(key)).statusCode).toBe(200);
  await revokeKey(service.pool, readKey(key)?.prefix ?? "");
  expect((await get(key)).statusCode).toBe(401);
  await app.close();
});

test("log lines contain no key, no personal data and no checkout URL", async () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const { app } = await buildWith({ log: { level: "debug", stream } });
  const seller = await service.createSeller();
  const { monthly } = await createCatalogue(service, seller);
  const headers = { authorization: `Bearer ${seller.key}` };
  const person = {
    phone: "9811223344",
    full_name: "Kamala Unforgettable",
    email: "kamala.secret@example.com",
    address: "House of Secrets 7",
  };
  const url = "/api/v1/subscriptions/";
  const payload = {
    pbp_id: monthly,
    return_url: "https://shop.example/?token=return-secret",
    client: testBuyer(person),
  };
  const created = await app.inject({ method: "POST", url, headers, payload });
  expect(created.statusCode).toBe(201);
  const { subscription_id } = created.json<{ subscription_id: string }>();
  await app.inject({ url: `/pay/${subscription_id}` });
  const { phone: _, ...details } = person;
  const form = { "content-type": "application/x-www-form-urlencoded" };
  for (const page of ["details/code", "details"])
    await app.inject({
      method: "POST",
      url: `/pay/${subscription_id}/${page}`,
      headers: form,
      payload: new URLSearchParams({ ...details, id: subscription_id, code: "1" }).toString(),
    });
  await app.inject({
    method: "POST",
    url,
    headers,
    payload: { ...payload, pbp_id: "no\u0000" },
  });
  await app.inject({ method: "POST", url, headers: { ...headers }, payload: "{broken" });
  await app.inject({ url: `/api/v1/${person.phone}/?email=${person.email}`, headers });
  await app.inject({ url: `/${person.full_name}` });
  await app.inject({ url, headers: { authorization: `Bearer ${seller.key}x` } });
  await app.close();

  expect(lines.length).toBeGreaterThanOrEqual(7);
  const log = lines.join("");
  for (const secret of [...Object.values(person), "return-secret", subscription_id, "dbk_test"])
    expect(log).not.toContain(secret);
  expect(log).toContain('"route":"/pay/:id"');
});

test("refused API keys and reached limits are logged without the key and at a limited rate", async () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const { app, get } = await buildWith({
    log: { level: "warn", stream },
    limits: { perKey: 0, failedKeys: 500 },
  });
  for (let tries = 0; tries < 550; tries += 1) await get(wrongKey());
  await app.inject({ url: "/api/v1/products/" });
  await app.close();
  const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const refused = told.filter(({ event }) => event === "key.refused");
  expect(refused).toHaveLength(60);
  expect(refused[0]).toMatchObject({
    level: "warn",
    program: "billing service",
    status: 401,
    route: "/api/v1/products/",
    request: expect.any(String),
  });
  const limited = told.filter(({ event }) => event === "limit.reached");
  expect(limited[0]).toMatchObject({ status: 429 });
  expect(told).toHaveLength(refused.length + limited.length);
  expect(lines.join("")).not.toContain("dbk_");
});

test("a log line contains the caller's request id, if it is valid", async () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const { app } = await buildWith({ log: { level: "info", stream } });
  const ask = (id: string) => app.inject({ url: "/healthz", headers: { "x-request-id": id } });
  const answer = await ask("desk-request-0001");
  expect(answer.headers["x-request-id"]).not.toBe("desk-request-0001");
  await ask("no id at all");
  const [first, second] = lines.filter((line) => line.includes("answered"));
  expect(first).toContain('"caller_request":"desk-request-0001"');
  expect(first).toContain(String(answer.headers["x-request-id"]));
  expect(second).not.toContain("caller_request");
  await app.close();
});

test("a failing SQL statement is logged with its error code and source location, without its message", async () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const { app } = await buildWith({ log: { level: "info", stream } });
  app.get("/fails", () => service.pool.query("select 'a person'::int"));
  const answer = await app.inject({ url: "/fails" });
  expect(answer.statusCode).toBe(500);
  expect(GeneralError.parse(answer.json()).detail).toContain("x-request-id");
  expect(lines.join("")).toContain('"code":"22P02"');
  expect(lines.join("")).toContain('"place":[');
  expect(lines.join("")).not.toContain("a person");
  await app.close();
});

test.each([
  ["/healthz", 200],
  ["/readyz", 200],
  ["/api/v1/products/", 401],
  ["/api/v1/nothing", 401],
  ["/nothing", 404],
  [`/pay/${randomUUID()}`, 404],
  ["/%", 400],
])("each answer of %s has a new x-request-id", async (url, status) => {
  const [one, other] = [await service.app.inject({ url }), await service.app.inject({ url })];
  expect(one.statusCode).toBe(status);
  expect(one.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  expect(one.headers["x-request-id"]).not.toBe(other.headers["x-request-id"]);
});

test.each([
  ["GET / HTTP/1.1\r\nhost: a\r\nx: " + "x".repeat(20_000) + "\r\n\r\n", 431],
  ["NOT HTTP AT ALL\r\n\r\n", 400],
  ["GET / HTTP/1.1\r\n\r\n", 400],
])(
  "an HTTP request that cannot be parsed gets an error, in JSON unless the Host header is missing",
  async (bytes, status) => {
    const { app } = await buildWith({});
    await app.listen({ port: 0, host: "127.0.0.1" });
    const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
    socket.write(bytes);
    const answer = await text(socket);
    expect(answer.split(" ")[1]).toBe(String(status));
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    if (status !== 400 || bytes.startsWith("NOT")) {
      expect(head).toContain("x-request-id: ");
      GeneralError.parse(JSON.parse(body));
    }
    await app.close();
  },
);

test("metrics count requests by route and status, and connections by state", async () => {
  const metrics = createMetrics(service.pool);
  const { app } = await buildWith({ metrics });
  await app.inject({ url: "/api/v1/subscriptions/" });
  const server = await serveMetrics(metrics, { port: 0, host: "127.0.0.1" });
  const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`);
  const body = await answer.text();
  expect(answer.headers.get("content-type")).toContain("text/plain");
  expect(body).toContain(
    'http_request_duration_seconds_count{method="GET",route="/api/v1/subscriptions/",status="401"} 1',
  );
  expect(body).toContain('database_connections{state="waiting"} 0');
  expect(body).toContain("process_cpu_seconds_total");
  expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(404);
  await server.close();
  await app.close();
});

import { hash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";
import { buildApp } from "../app.ts";
import { testCodeOf } from "../checkout/codes.ts";
import { routesOf } from "../http/route-doc.ts";
import { encodeImage } from "../media/encode.ts";
import { insertImage } from "../media/store.ts";
import {
  buildDescribedService,
  createDescribedCaller,
  postRequest,
  type DescribedRequest,
} from "../testing/described.ts";
import {
  testBuyer,
  createCatalogue,
  startTestService,
  type TestSeller,
  type TestService,
} from "../testing/service.ts";
import { ACCOUNT_EXAMPLES } from "./account-examples.ts";

let database: TestDatabase;
let service: TestService;
let seller: TestSeller;
let period: string;
const { operations, description } = await buildDescribedService();
const caller = createDescribedCaller({ operations, description });

beforeAll(async () => {
  database = await createTestDatabase("service");
  service = await startTestService(database.url);
  seller = await service.createSeller();
  period = (await createCatalogue(service, seller)).monthly;
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const send = (status: number, request: DescribedRequest, as: TestSeller | null = seller) =>
  caller.send(service, status, request, as);
const post = postRequest;
const order = (changes: object = {}) => ({
  pbp_id: period,
  return_url: "https://shop.example/",
  client: testBuyer(),
  ...changes,
});

test.each(["test", "live"] as const)(
  "the OpenAPI document of a %s service describes exactly the service's routes",
  async (mode) => {
    const app = await buildApp({ ...service.context, mode });
    const routes = routesOf(app)
      .filter(({ method }) => method !== "HEAD")
      .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, "{$1}")}`);
    const described = (await buildDescribedService(mode)).operations.map(
      ({ method, path }) => `${method.toUpperCase()} ${path}`,
    );
    expect(described.toSorted()).toEqual(routes.toSorted());
  },
);

test("the OpenAPI document of a live service omits the sandbox and defines every schema that it refers to", async () => {
  const app = await buildApp({ ...service.context, mode: "live" });
  const { body } = await app.inject({ url: "/api/openapi.json" });
  const page = await app.inject({ url: "/api/docs" });
  expect(body + page.body).not.toMatch(/\/sandbox|sandbox\/|Clock|Scenario/);
  const { description: live } = await buildDescribedService("live");
  expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(live)));
  for (const [, name = ""] of body.matchAll(/#\/components\/schemas\/(\w+)/g))
    expect(Object.keys(live.components.schemas)).toContain(name);
});

test("every reference in the OpenAPI document has a target, and operation ids are unique", () => {
  const text = JSON.stringify(description);
  for (const [, path = ""] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = path
      .split("/")
      .reduce<unknown>((value, key) => Object(value)[key] as unknown, description);
    expect({ path, target }).toEqual({ path, target: expect.any(Object) });
  }
  const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(operations.length);
});

test("every path parameter is described in the OpenAPI document", () => {
  for (const { path, parameters } of operations)
    expect(parameters.filter((one) => one.in === "path").map((one) => one.name)).toEqual(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    );
});

test("subscriptions and checkouts answer as the OpenAPI document describes, from creation to resuming", async () => {
  const url = "/api/v1/subscriptions/";
  const created = await send(201, post(url, order()));
  const { subscription_id: id } = created.json<{ subscription_id: string }>();
  await send(400, post(`${url}${id}/cancel/`));
  await send(200, { url: `/pay/${id}` }, null);
  await send(200, { url: `/pay/${id}/details` }, null);
  const offered = await send(303, form(`/pay/${id}/details/code`, {}), null);
  const request = String(offered.headers.location).split("code=")[1] ?? "";
  const details = { id: request, code: testCodeOf(request), full_name: "Asmita Rai Thapa" };
  await send(200, form(`/pay/${id}/details/code`, details), null);
  await send(400, form(`/pay/${id}/details`, { ...details, email: "none" }), null);
  await send(303, form(`/pay/${id}/details`, details), null);
  const asked = await send(303, form(`/pay/${id}/code`, { method: "wallet" }), null);
  const attempt = new URL(String(asked.headers.location), "http://a").searchParams.get(
    "attempt",
  );
  const code = testCodeOf(attempt ?? "");
  const paid = { attempt: attempt ?? "", code, total: "1130.00" };
  const sent = await send(303, form(`/pay/${id}/pay`, paid), null);
  await send(303, form(`/pay/${id}/again`, { pbp_id: "pbp_monthly_litre" }), null);
  const provider = String(sent.headers.location);
  await send(200, { url: provider }, null);
  await send(303, form(provider, { outcome: "approve" }), null);
  const reference = provider.replace("/sandbox-pay/", "");
  for (let notices = 0; notices < 2; notices += 1)
    await send(204, form("/pay-notices/sandbox", { reference }), null);

  await send(200, { url: `${url}${id}/` });
  await send(200, { url: `${url}?status=active&page_size=1` });
  await send(200, { url });
  await send(400, post(url, order()));
  const date = { subscription_id: id, next_billing_cycle: "2027-01-01" };
  await send(200, post(`${url}update-billing-cycle/`, date));
  await send(200, post(`${url}${id}/cancel/`));
  await send(200, post(`${url}${id}/resume/`));
});

const form = (url: string, fields: Record<string, string>): DescribedRequest => ({
  method: "POST",
  url,
  headers: { "content-type": "application/x-www-form-urlencoded" },
  payload: new URLSearchParams(fields).toString(),
});

test("refused requests for subscriptions answer as the OpenAPI document describes", async () => {
  const url = "/api/v1/subscriptions/";
  await send(400, { url: `${url}?status=asleep` });
  await send(404, { url: `${url}?page=99` });
  await send(404, { url: `${url}${randomUUID()}/` });
  await send(400, post(url, order({ pbp_id: "none" })));
  await send(400, post(url, order({ client: { phone: 1 } })));
  await send(400, {
    ...post(url),
    payload: "{",
    headers: { "content-type": "application/json" },
  });
  await send(415, { ...post(url), payload: "a", headers: { "content-type": "text/plain" } });
  await send(413, post(url, order({ filler: "x".repeat(300_000) })));
  await send(404, post(`${url}${randomUUID()}/cancel/`));
  await send(404, post(`${url}${randomUUID()}/resume/`));
  await send(400, post(`${url}update-billing-cycle/`, {}));
  const headers = { "idempotency-key": randomUUID() };
  await send(201, {
    ...post(url, order({ client: testBuyer({ phone: "9800000002" }) })),
    headers,
  });
  await send(422, { ...post(url, order()), headers });
});

test("products, customers and webhooks answer as the OpenAPI document describes", async () => {
  await send(200, { url: "/api/v1/products/" });
  await send(404, { url: "/api/v1/products/?page=0" });
  const customers = await send(200, { url: "/api/v1/customers/" });
  const [customer] = customers.json<{ results: { id: number }[] }>().results;
  await send(200, { url: `/api/v1/customers/${customer?.id}/` });
  await send(404, { url: "/api/v1/customers/999999/" });
  const input = { event: "checkout.succeeded", endpoint_url: "https://shop.example/hook" };
  const created = await send(201, post("/api/v1/webhooks/", input));
  const { id } = created.json<{ id: number }>();
  await send(200, { url: "/api/v1/webhooks/" });
  const url = `/api/v1/webhooks/${id}/`;
  await send(200, { method: "PATCH", url, payload: { is_active: false } });
  await send(400, { method: "PATCH", url, payload: { event: "nothing" } });
  await send(404, { method: "PATCH", url: "/api/v1/webhooks/999999/", payload: {} });
});

test("the sandbox's clock answers as the OpenAPI document describes", async () => {
  await send(200, { url: "/sandbox/clock/" });
  await send(200, { url: "/sandbox/forecast/?by=P1M" });
  await send(400, { url: "/sandbox/forecast/" });
  await send(200, post("/sandbox/clock/advance/", { by: "P1D" }));
  await send(400, post("/sandbox/clock/advance/", { to: "2020-01-01T00:00:00Z" }));
  await send(200, post("/sandbox/clock/next/"));
  await send(200, post("/sandbox/clock/reset/"));
});

test("the sandbox's deliveries answer as the OpenAPI document describes", async () => {
  const newEndpoint = { event: "checkout.failed", endpoint_url: "https://shop.example/hook" };
  const registered = await send(201, post("/api/v1/webhooks/", newEndpoint));
  const { id } = registered.json<{ id: number }>();
  const webhook = `/sandbox/webhooks/${id}`;
  const example = await send(201, post(`${webhook}/example/`, { event: "checkout.failed" }));
  const { delivery_id } = example.json<{ delivery_id: number }>();
  await send(200, post(`${webhook}/rotate-secret/`));
  await send(200, { url: "/sandbox/webhooks/notices/" });
  const url = "/sandbox/deliveries/";
  await send(200, { url: `${url}?state=pending&page_size=1` });
  await send(400, { url: `${url}?state=lost` });
  await send(200, { url: `${url}${delivery_id}/` });
  await send(404, { url: `${url}999999/` });
  await send(200, post(`${url}${delivery_id}/resend/`));
  const since = "2026-01-01T00:00:00Z";
  await send(200, post(`${url}recover/`, { webhook_id: id, since }));
  await send(404, post(`${url}recover/`, { webhook_id: 999_999, since }));
});

test("the sandbox's scenarios answer as the OpenAPI document describes", async () => {
  const reader = await service.createSeller();
  await send(200, { url: "/sandbox/scenarios/" }, reader);
  await send(200, post("/sandbox/scenarios/", { name: "some_due" }), reader);
  await send(400, post("/sandbox/scenarios/", { name: "none" }), reader);
  await send(200, post("/sandbox/reset/"), reader);
});

test("the sandbox's saved states answer as the OpenAPI document describes", async () => {
  const account = await service.createSeller();
  const save = { ...post("/sandbox/states/", { name: "Before the fair" }) };
  const { id } = (await send(201, save, account)).json<{ id: number }>();
  await send(400, post("/sandbox/states/", { name: " " }), account);
  await send(200, { url: "/sandbox/states/" }, account);
  await send(200, post(`/sandbox/states/${id}/restore/`), account);
  await send(404, post("/sandbox/states/999999/restore/"), account);
  await send(200, post(`/sandbox/states/${id}/delete/`), account);
  await send(404, post(`/sandbox/states/${id}/delete/`), account);
});

test("the sandbox's payments answer as the OpenAPI document describes", async () => {
  const created = await send(
    201,
    post("/api/v1/subscriptions/", order({ client: testBuyer({ phone: "9811111111" }) })),
  );
  const { subscription_id: id } = created.json<{ subscription_id: string }>();
  const url = `/sandbox/subscriptions/${id}/pay/`;
  await send(400, post(url, { outcome: "none" }));
  await send(200, post(url, { outcome: "decline" }));
  await send(404, post(url.replace(id, randomUUID()), { outcome: "approve" }));
});

test("on every route, a missing key gets the documented 401 and an unverified account the documented 403", async () => {
  const unverified = await service.createSeller({ kyc_verified: false });
  for (const one of operations.filter(({ isPublic }) => !isPublic)) {
    const { method, path } = one;
    const url = path.replace("{id}", "1");
    const request: DescribedRequest = { method: method === "get" ? "GET" : "POST", url };
    if (method === "patch") request.method = "PATCH";
    await send(401, request, null);
    const isOpen = method === "get" && /v1\/(products|profile|verification)\//.test(path);
    if (!isOpen && one.credentials.some((name) => !/installation|operator/.test(name)))
      await send(403, request, unverified);
  }
});

test("pages, images and health checks answer as the OpenAPI document describes", async () => {
  for (const path of ["/healthz", "/readyz", "/api/docs", "/api/openapi.json"])
    await send(200, { url: path }, null);
  await send(302, { url: "/" }, null);
  await send(200, { url: "/pay-assets/checkout.css" }, null);
  await send(200, { url: "/media/products/milk.svg" }, null);
  await send(404, { url: "/media/products/none.svg" }, null);
  await send(200, { url: "/pay-assets/color/1f5fbf.css" }, null);
  await send(404, { url: "/pay-assets/color/red.css" }, null);
  const image = await encodeImage(Buffer.from(ACCOUNT_EXAMPLES.UploadImage.content, "base64"));
  if ("problem" in image) throw new Error(image.problem);
  const limits = { at: new Date(), most: 1 };
  await insertImage(service.pool, seller.seller_id, image, limits);
  await send(200, { url: `/media/images/${image.digest}.webp` }, null);
  await send(404, { url: "/media/images/none.webp" }, null);
  await send(404, { url: `/pay/${randomUUID()}` }, null);
  await send(404, form(`/pay/${randomUUID()}/code`, { method: "bank" }), null);
  await send(415, { ...post(`/pay/${randomUUID()}/code`), payload: "a" }, null);
  const foreign = { origin: "https://evil.example" };
  await send(403, { ...form(`/pay/${randomUUID()}/pay`, {}), headers: foreign }, null);
});

test("every operation of the API, the sandbox and the checkout has succeeded in these tests", () => {
  expect(
    caller
      .neverSucceeded()
      .filter(
        (one) =>
          !/\/(account|operator|message-reports|stop|pay-return|pay-notices|go|bill|my|buy)\b/.test(
            one,
          ),
      ),
  ).toEqual([]);
});

test("/api/openapi.json returns the generated OpenAPI document and may be read from any website", async () => {
  const { headers, body } = await service.app.inject({ url: "/api/openapi.json" });
  expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(description)));
  expect(headers["access-control-allow-origin"]).toBe("*");
});

test("the documentation page has every operation and schema, allows no script, and has no broken internal links", async () => {
  const { headers, body: markup } = await service.app.inject({ url: "/api/docs" });
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(markup) ?? [];
  expect(headers["content-security-policy"]).toMatch(
    `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'`,
  );
  const body = markup.replaceAll("&#39;", "'");
  for (const { summary, path } of operations) {
    expect(body).toContain(summary);
    expect(body).toContain(path);
  }
  for (const name of Object.keys(description.components.schemas))
    expect(body).toContain(`id="schema-${name}"`);
  expect(body).not.toContain("<script");
  const targets = [...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  for (const id of targets) expect(body).toContain(`id="${id}"`);
});

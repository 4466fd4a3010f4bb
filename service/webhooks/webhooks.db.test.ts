import { describe, expect, it } from "vitest";
import { EVENT_KINDS } from "#contract/names.ts";
import { Webhook, WEBHOOK_SECRET_HEADER, WebhookPage } from "#contract/webhooks.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { TEST_SECRETS_KEY } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { MAX_WEBHOOKS } from "./endpoints.ts";
import { decryptSecret } from "./secret.ts";

const service = useTestService();
const URL = "/api/v1/webhooks/";
const input = { event: "checkout.succeeded", endpoint_url: "https://shop.example/hooks?a=b" };

const register = async (api: SellerApi, changes: object = {}) => {
  const answer = await api.post(URL, { ...input, ...changes });
  expect(answer.statusCode).toBe(201);
  return Webhook.parse(answer.json());
};
const patch = (api: SellerApi, id: number | string, payload: object) =>
  api.call({ method: "PATCH", url: `${URL}${id}/`, payload });
const listed = async (api: SellerApi, query = "") =>
  WebhookPage.parse((await api.call({ url: `${URL}${query}` })).json());

describe("creating a webhook", () => {
  it("Spec choice, webhook endpoints: answers 201 with the endpoint, which is active by default", async () => {
    const api = await SellerApi.open(service);
    expect(await register(api)).toEqual({
      ...input,
      id: expect.any(Number),
      is_active: true,
      created_at: "2026-03-10T06:00:00.000Z",
    });
    expect((await register(api, { is_active: false })).is_active).toBe(false);
  });

  it.each(EVENT_KINDS)("Spec, Events: accepts the event %s", async (event) => {
    const api = await SellerApi.open(service);
    expect((await register(api, { event })).event).toBe(event);
  });

  it("Spec choice, signatures: the secret is returned once, in a header, and is encrypted at rest", async () => {
    const api = await SellerApi.open(service);
    const answer = await api.post(URL, input);
    const secret = String(answer.headers[WEBHOOK_SECRET_HEADER]);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(answer.body).not.toContain("whsec_");
    const list = await api.call({ url: URL });
    expect([list.headers[WEBHOOK_SECRET_HEADER], list.body.includes("whsec_")]).toEqual([
      undefined,
      false,
    ]);
    const { rows } = await service.pool.query<{ sealed_secret: Buffer }>(
      "select sealed_secret from webhook where id = $1",
      [answer.json().id],
    );
    const sealed = rows[0]?.sealed_secret ?? Buffer.alloc(0);
    expect(sealed.includes(secret.slice(6))).toBe(false);
    expect(decryptSecret(TEST_SECRETS_KEY, api.seller.seller_id, sealed)).toBe(secret);
  });

  it.each([
    [{ event: "checkout.paid" }, "event"],
    [{ event: null }, "event"],
    [{ event: undefined }, "event"],
    [{ event: ["checkout.failed"] }, "event"],
    [{ endpoint_url: undefined }, "endpoint_url"],
    [{ endpoint_url: "" }, "endpoint_url"],
    [{ endpoint_url: "shop.example/hooks" }, "endpoint_url"],
    [{ endpoint_url: "ftp://shop.example/" }, "endpoint_url"],
    [{ endpoint_url: "https://a:b@shop.example/" }, "endpoint_url"],
    [{ endpoint_url: `https://shop.example/${"x".repeat(2000)}` }, "endpoint_url"],
    [{ endpoint_url: "https://shop.example/\u0000" }, "endpoint_url"],
    [{ is_active: "yes" }, "is_active"],
    [{ is_active: null }, "is_active"],
  ])(
    "Spec, Webhook registration: a request with %j is refused with an error under %s",
    async (changes, key) => {
      const api = await SellerApi.open(service);
      const answer = await api.post(URL, { ...input, ...changes });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ [key]: [expect.any(String)] });
      expect((await listed(api)).count).toBe(0);
    },
  );

  it("Spec choice, live webhook targets: private targets are allowed in sandbox mode", async () => {
    const api = await SellerApi.open(service);
    const endpoint_url = "http://127.0.0.1:8080/hooks";
    expect((await register(api, { endpoint_url })).endpoint_url).toBe(endpoint_url);
  });

  it("a seller cannot exceed the maximum number of endpoints, even by concurrent requests", async () => {
    const api = await SellerApi.open(service);
    await service.pool.query(
      `insert into webhook (seller_id, event, endpoint_url, sealed_secret, created_at)
       select $1, 'checkout.failed', 'https://shop.example/' || n, '', now()
       from generate_series(1, $2) n`,
      [api.seller.seller_id, MAX_WEBHOOKS - 1],
    );
    const answers = await Promise.all([1, 2, 3].map(() => api.post(URL, input)));
    const created = answers.filter((answer) => answer.statusCode === 201);
    expect(created).toHaveLength(1);
    expect((await listed(api)).count).toBe(MAX_WEBHOOKS);
  });
});

describe("listing webhooks", () => {
  it("Spec choice, webhook endpoints: returns a page of endpoints, newest first", async () => {
    const api = await SellerApi.open(service);
    const ids: number[] = [];
    for (const event of EVENT_KINDS) ids.push((await register(api, { event })).id);
    const page = await listed(api, "?page_size=2");
    expect(page.results.map((row) => row.id)).toEqual(ids.toReversed().slice(0, 2));
    expect(page).toMatchObject({
      count: EVENT_KINDS.length,
      next: `http://billing.test${URL}?page=2&page_size=2`,
      previous: null,
    });
  });

  it("Spec, What the service does 1: returns only the seller's own endpoints", async () => {
    const api = await SellerApi.open(service);
    await register(await SellerApi.open(service));
    expect((await listed(api)).count).toBe(0);
  });
});

describe("changing a webhook", () => {
  it.each([
    { is_active: false },
    { event: "checkout.failed" },
    { endpoint_url: "https://other.example/" },
    { event: "checkout.failed", endpoint_url: "https://other.example/", is_active: false },
    {},
  ])(
    "Spec, PATCH webhooks: %j changes the sent fields and keeps the other fields",
    async (changes) => {
      const api = await SellerApi.open(service);
      const before = await register(api);
      const answer = await patch(api, before.id, changes);
      expect(answer.statusCode).toBe(200);
      expect(Webhook.parse(answer.json())).toEqual({ ...before, ...changes });
      expect((await listed(api)).results).toEqual([{ ...before, ...changes }]);
    },
  );

  it.each([
    [{ event: "checkout.paid" }, "event"],
    [{ event: null }, "event"],
    [{ endpoint_url: "nowhere" }, "endpoint_url"],
    [{ endpoint_url: null }, "endpoint_url"],
    [{ is_active: 1 }, "is_active"],
  ])(
    "Spec, PATCH webhooks: %j is refused with an error under %s and changes nothing",
    async (changes, key) => {
      const api = await SellerApi.open(service);
      const before = await register(api);
      const answer = await patch(api, before.id, { is_active: false, ...changes });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ [key]: [expect.any(String)] });
      expect((await listed(api)).results).toEqual([before]);
    },
  );

  it("Spec choice, not found: unknown IDs, malformed IDs and another seller's IDs get the same 404", async () => {
    const api = await SellerApi.open(service);
    const foreign = await register(await SellerApi.open(service));
    for (const id of [foreign.id, 0, "x", "9223372036854775808"]) {
      const answer = await patch(api, id, { is_active: false });
      expect([answer.statusCode, answer.json()]).toEqual([404, { detail: "Not found." }]);
    }
  });

  it("Spec choice, webhook endpoints: DELETE, GET and PUT of a single endpoint answer 405", async () => {
    const api = await SellerApi.open(service);
    const { id } = await register(api);
    for (const method of ["DELETE", "GET", "PUT"] as const) {
      const answer = await api.call({ method, url: `${URL}${id}/` });
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, "PATCH"]);
    }
    expect((await listed(api)).count).toBe(1);
  });
});

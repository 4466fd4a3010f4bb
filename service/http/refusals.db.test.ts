import { randomUUID } from "node:crypto";
import type { InjectOptions } from "fastify";
import { beforeAll, describe, expect, it } from "vitest";
import { GeneralError } from "#contract/errors.ts";
import { issueKey } from "../sellers/key-store.ts";
import { SellerApi } from "../testing/seller-api.ts";
import type { TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { routesOf } from "./route-doc.ts";

const service = useTestService();
const PREFIX = "/api/v1/";
type Method = "GET" | "HEAD" | "POST" | "PATCH";

interface TestRoute {
  method: Method;
  url: string;
}

/** Every route of the API with every method, read from the route table. */
const routes = (): TestRoute[] =>
  routesOf(service.app).filter(({ url }) => url.startsWith(PREFIX)) as TestRoute[];

const withId = (url: string, ids: { subscription: string; number: number | string }) =>
  url.replace(":id", url.includes("/subscriptions/") ? ids.subscription : String(ids.number));
const unknownIds = () => ({ subscription: randomUUID(), number: 999_999_999 });

/** A body that would be accepted, so that only the refusal is tested. */
const payloadOf = (
  api: SellerApi,
  { method, url }: TestRoute,
  subscription_id: string = randomUUID(),
) => {
  if (method === "GET" || method === "HEAD") return {};
  const newEndpoint = { event: "checkout.failed", endpoint_url: "https://shop.example/" };
  const order = {
    pbp_id: api.periods.monthly,
    return_url: "https://shop.example/",
    client: { phone: "9800000009", full_name: "A", email: "a@example.com", address: "Patan" },
  };
  const body = url.includes("webhooks") ? newEndpoint : order;
  return { payload: { ...body, subscription_id, next_billing_cycle: "2027-01-01" } };
};

const ask = (headers: Record<string, string>, request: InjectOptions) =>
  service.call(null, { ...request, headers });

let api: SellerApi;
beforeAll(async () => {
  api = await SellerApi.open(service);
});

it("the service has exactly the specification's routes", () => {
  expect(
    routes()
      .filter(({ method }) => method !== "HEAD")
      .map(({ method, url }) => `${method} ${url.slice(PREFIX.length)}`)
      .toSorted(),
  ).toEqual([
    "GET customers/",
    "GET customers/:id/",
    "GET products/",
    "GET subscriptions/",
    "GET subscriptions/:id/",
    "GET webhooks/",
    "PATCH webhooks/:id/",
    "POST subscriptions/",
    "POST subscriptions/:id/cancel/",
    "POST subscriptions/:id/resume/",
    "POST subscriptions/update-billing-cycle/",
    "POST webhooks/",
  ]);
});

describe("Spec, Authentication 6: 401 at every route", () => {
  const headers: Record<string, (key: string) => Record<string, string>> = {
    "no key": () => ({}),
    "an empty header": () => ({ authorization: "" }),
    "no scheme": (key) => ({ authorization: key }),
    "another scheme": (key) => ({ authorization: `Basic ${key}` }),
    "two keys": (key) => ({ authorization: `Bearer ${key} ${key}` }),
    "a malformed key": () => ({ authorization: "Bearer secret" }),
    "a key of another length": (key) => ({ authorization: `Bearer ${key}0` }),
    "an unknown prefix": (key) => ({
      authorization: `Bearer ${key.replace(/_[0-9a-z]{12}_/, "_000000000000_")}`,
    }),
    "a wrong secret": (key) => ({
      authorization: `Bearer ${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`,
    }),
    "a control character": () => ({ authorization: "Bearer dbk_test_\u0001" }),
    "a live key": (key) => ({ authorization: `Bearer ${key.replace("test", "live")}` }),
  };
  it.each(Object.keys(headers))("%s", async (name) => {
    const { key } = api.seller;
    for (const route of routes()) {
      const url = withId(route.url, unknownIds());
      const answer = await ask(headers[name]?.(key) ?? {}, {
        method: route.method,
        url,
        ...payloadOf(api, route),
      });
      expect([route, answer.statusCode]).toEqual([route, 401]);
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
      if (route.method !== "HEAD") GeneralError.parse(answer.json());
      expect(answer.body).not.toContain(key.slice(-20));
    }
  });

  it("an inactive key gets 401 at every route", async () => {
    const closed = await SellerApi.open(service);
    await service.pool.query("update api_key set is_active = false where seller_id = $1", [
      closed.seller.seller_id,
    ]);
    for (const route of routes()) {
      const answer = await closed.call({
        method: route.method,
        url: withId(route.url, unknownIds()),
        ...payloadOf(api, route),
      });
      expect([route, answer.statusCode]).toEqual([route, 401]);
    }
  });

  it("Spec, Authentication 4; choice, 401 and 403: the 401 for a live key in test mode names the live host", async () => {
    const { seller_id } = api.seller;
    const created_at = service.clock.now();
    const live = await issueKey(service.pool, { seller_id, mode: "live", created_at });
    const answer = await ask(
      { authorization: `Bearer ${live}` },
      { method: "GET", url: `${PREFIX}products/` },
    );
    expect(answer.statusCode).toBe(401);
    expect(answer.json().detail).toContain("live host");
  });

  it("an unknown URL without a key gets 401, not 404 or 405", async () => {
    for (const url of [`${PREFIX}nothing/`, `${PREFIX}products`, PREFIX])
      for (const method of ["GET", "POST", "DELETE"] as const)
        expect((await service.call(null, { method, url })).statusCode).toBe(401);
  });
});

describe("Spec, Authentication 5: 403 for an unverified account", () => {
  let unverified: TestSeller;
  beforeAll(async () => {
    unverified = await service.createSeller({ kyc_verified: false });
  });

  it("an unverified account gets 403 at every route except the product list, even for unknown ids", async () => {
    for (const route of routes()) {
      const answer = await service.call(unverified, {
        method: route.method,
        url: withId(route.url, unknownIds()),
        ...payloadOf(api, route),
      });
      const isOpen = route.url === `${PREFIX}products/`;
      expect([route, answer.statusCode]).toEqual([route, isOpen ? 200 : 403]);
      if (!isOpen && route.method !== "HEAD") GeneralError.parse(answer.json());
    }
  });

  it("an unverified account gets 403, not 404 for an unknown URL or 400 for a broken body", async () => {
    const unknown = await service.call(unverified, { url: `${PREFIX}nothing/` });
    const broken = await service.call(unverified, {
      method: "POST",
      url: `${PREFIX}subscriptions/`,
      payload: "{",
      headers: { "content-type": "application/json" },
    });
    expect([unknown.statusCode, broken.statusCode]).toEqual([403, 403]);
  });
});

describe("another seller's record gets the same answer as a missing record", () => {
  it("at every route that takes an id, and the record does not change", async () => {
    const other = await SellerApi.open(service);
    const subscription = await other.createActive();
    const registered = await other.post(`${PREFIX}webhooks/`, {
      event: "checkout.failed",
      endpoint_url: "https://other.example/",
    });
    const customers = await other.call({ url: `${PREFIX}customers/` });
    const numbers = {
      webhooks: registered.json().id as number,
      customers: customers.json().results[0].id as number,
    };
    const before = [await other.read(subscription), await other.events(subscription)];
    for (const route of routes().filter(({ url }) => /:id|update-billing/.test(url))) {
      const number = route.url.includes("webhooks") ? numbers.webhooks : numbers.customers;
      const answers = [];
      for (const ids of [{ subscription, number }, unknownIds()])
        answers.push(
          await api.call({
            method: route.method,
            url: withId(route.url, ids),
            ...payloadOf(api, route, ids.subscription),
          }),
        );
      const [foreign, unknown] = answers;
      const expected = route.url.includes("update-billing") ? 400 : 404;
      expect([route, foreign?.statusCode]).toEqual([route, expected]);
      expect([foreign?.statusCode, foreign?.body]).toEqual([
        unknown?.statusCode,
        unknown?.body,
      ]);
    }
    expect([await other.read(subscription), await other.events(subscription)]).toEqual(before);
    const webhooks = (await other.call({ url: `${PREFIX}webhooks/` })).json();
    expect(webhooks.results[0].endpoint_url).toBe("https://other.example/");
  });
});

describe("Spec choice, other refusals: the methods of a URL", () => {
  it("an unsupported method gets 405 with a detail and the supported methods", async () => {
    const addresses = Map.groupBy(routes(), ({ url }) => url);
    for (const [url, known] of addresses) {
      const methods = known.map(({ method }) => method);
      for (const method of [
        "GET",
        "HEAD",
        "POST",
        "PUT",
        "PATCH",
        "DELETE",
        "OPTIONS",
      ] as const) {
        if (methods.includes(method as Method)) continue;
        const answer = await api.call({ method, url: withId(url, unknownIds()) });
        expect([method, url, answer.statusCode]).toEqual([method, url, 405]);
        expect(answer.headers.allow).toBe(methods.join(", "));
        if (method !== "HEAD") GeneralError.parse(answer.json());
      }
    }
  });

  it("HEAD gets the answer of GET without its body", async () => {
    for (const { url } of routes().filter(({ method }) => method === "HEAD")) {
      if (url.includes(":id")) continue;
      const [head, get] = [await api.call({ method: "HEAD", url }), await api.call({ url })];
      expect([head.statusCode, head.body]).toEqual([get.statusCode, ""]);
      expect(head.headers["content-type"]).toBe(get.headers["content-type"]);
    }
  });
});

describe("a URL without its trailing slash", () => {
  it("Spec, Errors: redirects GET and HEAD with 301 and keeps the query", async () => {
    const query = "?page=2&status=due&x=a%20b%3F";
    for (const { method, url } of routes()) {
      if (method !== "GET" && method !== "HEAD") continue;
      const slashed = withId(url, unknownIds());
      const answer = await api.call({ method, url: slashed.slice(0, -1) + query });
      expect([answer.statusCode, answer.headers.location]).toEqual([301, slashed + query]);
    }
  });

  it("Spec choice, missing slash: answers a write with 404 and a detail about the slash, and changes nothing", async () => {
    const own = await SellerApi.open(service);
    const active = await own.createActive();
    const registered = await own.post(`${PREFIX}webhooks/`, {
      event: "checkout.failed",
      endpoint_url: "https://own.example/",
    });
    const ids = { subscription: active, number: registered.json().id as number };
    const before = [await own.list(), await own.events(active)];
    for (const route of routes()) {
      if (route.method === "GET" || route.method === "HEAD") continue;
      const answer = await own.call({
        method: route.method,
        url: withId(route.url, ids).slice(0, -1),
        ...payloadOf(own, route, active),
      });
      expect([route, answer.statusCode]).toEqual([route, 404]);
      expect(GeneralError.parse(answer.json()).detail).toContain("slash");
    }
    expect([await own.list(), await own.events(active)]).toEqual(before);
    const webhooks = (await own.call({ url: `${PREFIX}webhooks/` })).json();
    expect(webhooks.results).toEqual([registered.json()]);
  });
});

describe("every answer", () => {
  it("Spec, Versioning; choice, version header: has the API version, a request id and Cache-Control: no-store", async () => {
    const answers = [
      await api.call({ url: `${PREFIX}products/` }),
      await api.call({ url: `${PREFIX}nothing/` }),
      await service.call(null, { url: `${PREFIX}products/` }),
    ];
    for (const { headers } of answers) {
      expect(headers["x-api-version"]).toBe("1.0.2");
      expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers["cache-control"]).toBe("no-store");
    }
  });
});

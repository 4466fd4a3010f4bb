import { describe, expect, test } from "vitest";
import {
  clientOf,
  create,
  creation,
  emptyPage,
  failureOfCall,
  json,
  list,
  reset,
  search,
  service,
  text,
  useBillingServer,
  type Answer,
} from "#tools/testing/servers/billing-server.ts";
import { withRequest } from "#lib/trace.ts";
import type { KeyResult } from "./transport.ts";

const record = { subscription_id: "s-1", status: "active", client: {}, product: {} };

useBillingServer();

describe("a request", () => {
  test.each([
    ["", "/api/v1/subscriptions/?page=1&page_size=20"],
    ["/", "/api/v1/subscriptions/?page=1&page_size=20"],
    ["/billing/v2/", "/billing/v2/api/v1/subscriptions/?page=1&page_size=20"],
  ])("keeps the path %o of the base URL", async (path, url) => {
    service.answers = [json(200, emptyPage)];
    await clientOf(path).listSubscriptions(search);
    expect(service.seen[0]?.url).toBe(url);
    expect(service.seen[0]?.headers.authorization).toBe("Bearer sk_test_key");
  });

  test("contains the id of the dashboard's request", async () => {
    service.answers = [json(200, emptyPage)];
    await withRequest("request-0001", () => clientOf().listSubscriptions(search));
    await clientOf().listSubscriptions(search);
    const named = service.seen.map(({ headers }) => headers["x-request-id"]);
    expect(named).toEqual(["request-0001", undefined]);
  });

  test("filters by a status and requests pages by number", async () => {
    service.answers = [json(200, { ...emptyPage, next: "http://elsewhere.invalid/steal" })];
    await clientOf().listSubscriptions({ status: "due", page: 3, page_size: 50 });
    await clientOf().listProducts({ page: 2, page_size: 100 });
    expect(service.seen.map(({ url }) => url)).toEqual([
      "/api/v1/subscriptions/?status=due&page=3&page_size=50",
      "/api/v1/products/?page=2&page_size=100",
    ]);
  });

  test("writes JSON to a URL with a final slash", async () => {
    service.answers = [
      json(201, { subscription_id: "s-1", checkout_url: "https://pay.example/pay/s-1" }),
    ];
    const created = await create();
    expect(created.subscription_id).toBe("s-1");
    expect(service.seen[0]).toMatchObject({ method: "POST", url: "/api/v1/subscriptions/" });
    expect(service.seen[0]?.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(service.seen[0]?.body ?? "")).toEqual(creation);
  });

  test("cancels and resumes without a body, and reschedules with a date", async () => {
    service.answers = [json(200, { message: "Done." })];
    const client = clientOf();
    const date = { subscription_id: "s-1", next_billing_cycle: "2026-12-31" };
    await expect(client.cancelSubscription("s-1")).resolves.toEqual({ message: "Done." });
    await client.resumeSubscription("s-1");
    await client.rescheduleSubscription(date);
    expect(service.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /api/v1/subscriptions/s-1/cancel/",
      "POST /api/v1/subscriptions/s-1/resume/",
      "POST /api/v1/subscriptions/update-billing-cycle/",
    ]);
    expect(service.seen.map(({ body: sent }) => sent)).toEqual(["", "", JSON.stringify(date)]);
  });

  test.each(["..", ".", "", "a/b", "a?b", "a%2fb", "x".repeat(101)])(
    "never reaches another route through the id %o",
    async (id) => {
      const failure = await failureOfCall(() => clientOf().getSubscription(id));
      expect(failure.kind).toBe("not_found");
      expect(service.seen).toHaveLength(0);
    },
  );

  test("does not expose its key", () => {
    expect(JSON.stringify(clientOf())).toBe("{}");
  });
});

describe("a success", () => {
  test("may have unknown fields and lack most known ones", async () => {
    service.answers = [
      json(200, { ...record, status: "on_holiday", mood: "fine", client: null }),
    ];
    const read = await clientOf().getSubscription("s-1");
    expect(read.status).toBe("on_holiday");
    expect(read.client.full_name).toBe("");
  });

  test.each([
    ["HTML", text(200, "<h1>It works!</h1>")],
    ["nothing", text(200, "")],
    ["an object that is no page", json(200, { hello: "world" })],
    ["an array", json(200, [])],
    ["null", json(200, null)],
    ["6 MB", text(200, `{"results": [], "pad": "${"x".repeat(6_000_000)}"}`)],
    ["rows without an id", json(200, { ...emptyPage, results: [{}] })],
  ])("reports a response that is %s as unexpected", async (_name, answer) => {
    service.answers = [answer];
    expect(await failureOfCall(() => list())).toEqual({ kind: "unexpected" });
    expect(service.seen).toHaveLength(1);
  });
});

describe("what a response says about the key", () => {
  test.each<[string, Answer, KeyResult[]]>([
    ["a page", json(200, emptyPage), ["good"]],
    ["401", json(401, { detail: "No." }), ["refused"]],
    ["403", json(403, { detail: "No." }), ["unverified"]],
    ["403 of something in front of it", text(403, "<h1>Forbidden</h1>"), []],
    ["404", json(404, { detail: "No." }), []],
    ["HTML", text(200, "<h1>It works!</h1>"), []],
    ["a broken connection", reset, []],
  ])("is reported after %s", async (_name, answer, heard) => {
    service.answers = [answer];
    await list().catch(() => {});
    expect(service.told).toEqual(heard);
  });

  test("the product list does not show that the account is verified", async () => {
    service.answers = [json(200, emptyPage)];
    await clientOf().listProducts({ page: 1, page_size: 1 });
    expect(service.told).toEqual(["listed"]);
  });
});

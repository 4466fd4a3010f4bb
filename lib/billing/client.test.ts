import { describe, expect, test } from "vitest";
import {
  clientOf,
  createWithTimeout,
  CREATE_INPUT,
  emptyPage,
  failureOfCall,
  jsonAnswer,
  listWithTimeout,
  closeConnection,
  LIST_SEARCH,
  fakeService,
  textAnswer,
  useBillingServer,
  type AnswerRequest,
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
    fakeService.answers = [jsonAnswer(200, emptyPage)];
    await clientOf(path).listSubscriptions(LIST_SEARCH);
    expect(fakeService.seen[0]?.url).toBe(url);
    expect(fakeService.seen[0]?.headers.authorization).toBe("Bearer sk_test_key");
  });

  test("contains the id of the dashboard's request", async () => {
    fakeService.answers = [jsonAnswer(200, emptyPage)];
    await withRequest("request-0001", () => clientOf().listSubscriptions(LIST_SEARCH));
    await clientOf().listSubscriptions(LIST_SEARCH);
    const named = fakeService.seen.map(({ headers }) => headers["x-request-id"]);
    expect(named).toEqual(["request-0001", undefined]);
  });

  test("filters by a status and requests pages by number", async () => {
    fakeService.answers = [
      jsonAnswer(200, { ...emptyPage, next: "http://elsewhere.invalid/steal" }),
    ];
    await clientOf().listSubscriptions({ status: "due", page: 3, page_size: 50 });
    await clientOf().listProducts({ page: 2, page_size: 100 });
    expect(fakeService.seen.map(({ url }) => url)).toEqual([
      "/api/v1/subscriptions/?status=due&page=3&page_size=50",
      "/api/v1/products/?page=2&page_size=100",
    ]);
  });

  test("writes JSON to a URL with a final slash", async () => {
    fakeService.answers = [
      jsonAnswer(201, { subscription_id: "s-1", checkout_url: "https://pay.example/pay/s-1" }),
    ];
    const created = await createWithTimeout();
    expect(created.subscription_id).toBe("s-1");
    expect(fakeService.seen[0]).toMatchObject({
      method: "POST",
      url: "/api/v1/subscriptions/",
    });
    expect(fakeService.seen[0]?.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(fakeService.seen[0]?.body ?? "")).toEqual(CREATE_INPUT);
  });

  test("cancels and resumes without a body, and reschedules with a date", async () => {
    fakeService.answers = [jsonAnswer(200, { message: "Done." })];
    const client = clientOf();
    const date = { subscription_id: "s-1", next_billing_cycle: "2026-12-31" };
    await expect(client.cancelSubscription("s-1")).resolves.toEqual({ message: "Done." });
    await client.resumeSubscription("s-1");
    await client.rescheduleSubscription(date);
    expect(fakeService.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /api/v1/subscriptions/s-1/cancel/",
      "POST /api/v1/subscriptions/s-1/resume/",
      "POST /api/v1/subscriptions/update-billing-cycle/",
    ]);
    expect(fakeService.seen.map(({ body: sent }) => sent)).toEqual([
      "",
      "",
      JSON.stringify(date),
    ]);
  });

  test.each(["..", ".", "", "a/b", "a?b", "a%2fb", "x".repeat(101)])(
    "never reaches another route through the id %o",
    async (id) => {
      const failure = await failureOfCall(() => clientOf().getSubscription(id));
      expect(failure.kind).toBe("not_found");
      expect(fakeService.seen).toHaveLength(0);
    },
  );

  test("is made by a client whose JSON does not contain the key", () => {
    expect(JSON.stringify(clientOf())).toBe("{}");
  });
});

describe("a success", () => {
  test("returns the raw record unchanged when it is asked for", async () => {
    const text = '{"id":12345678901234567890,"price":1500.00,"more":{"a":1}}';
    fakeService.answers = [textAnswer(200, text)];
    expect(await clientOf().readRaw("customers/7")).toBe(text);
    expect(fakeService.seen[0]?.url).toBe("/api/v1/customers/7/");
    fakeService.answers = [jsonAnswer(404, { detail: "Not found." })];
    expect(await failureOfCall(() => clientOf().readRaw("customers/8"))).toEqual({
      kind: "not_found",
    });
  });

  test("may have unknown fields and lack most known ones", async () => {
    fakeService.answers = [
      jsonAnswer(200, { ...record, status: "on_holiday", mood: "fine", client: null }),
    ];
    const read = await clientOf().getSubscription("s-1");
    expect(read.status).toBe("on_holiday");
    expect(read.client.full_name).toBe("");
  });

  test.each([
    ["HTML", textAnswer(200, "<h1>It works!</h1>")],
    ["nothing", textAnswer(200, "")],
    ["an object that is no page", jsonAnswer(200, { hello: "world" })],
    ["an array", jsonAnswer(200, [])],
    ["null", jsonAnswer(200, null)],
    ["6 MB", textAnswer(200, `{"results": [], "pad": "${"x".repeat(6_000_000)}"}`)],
    ["rows without an id", jsonAnswer(200, { ...emptyPage, results: [{}] })],
  ])("is unexpected if it is %s", async (_name, answer) => {
    fakeService.answers = [answer];
    expect(await failureOfCall(() => listWithTimeout())).toEqual({ kind: "unexpected" });
    expect(fakeService.seen).toHaveLength(1);
  });
});

describe("what a response says about the key", () => {
  test.each<[string, AnswerRequest, KeyResult[]]>([
    ["a page", jsonAnswer(200, emptyPage), ["good"]],
    ["401", jsonAnswer(401, { detail: "No." }), ["refused"]],
    ["403", jsonAnswer(403, { detail: "No." }), ["unverified"]],
    ["403 of something in front of it", textAnswer(403, "<h1>Forbidden</h1>"), []],
    ["404", jsonAnswer(404, { detail: "No." }), []],
    ["HTML", textAnswer(200, "<h1>It works!</h1>"), []],
    ["a broken connection", closeConnection, []],
  ])("is reported after %s, if it says anything", async (_name, answer, heard) => {
    fakeService.answers = [answer];
    await listWithTimeout().catch(() => {});
    expect(fakeService.told).toEqual(heard);
  });

  test("is only “listed” after a product list, which shows no verified account", async () => {
    fakeService.answers = [jsonAnswer(200, emptyPage)];
    await clientOf().listProducts({ page: 1, page_size: 1 });
    expect(fakeService.told).toEqual(["listed"]);
  });
});

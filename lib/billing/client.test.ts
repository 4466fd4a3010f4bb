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

describe("a request of the billing client", () => {
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

  test("carries the id of the dashboard's request in X-Request-Id", async () => {
    fakeService.answers = [jsonAnswer(200, emptyPage)];
    await withRequest("request-0001", () => clientOf().listSubscriptions(LIST_SEARCH));
    await clientOf().listSubscriptions(LIST_SEARCH);
    const named = fakeService.seen.map(({ headers }) => headers["x-request-id"]);
    expect(named).toEqual(["request-0001", undefined]);
  });

  test("for a list contains the status and page number instead of following the service's next link", async () => {
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

  test("to create a subscription is a POST of JSON to a URL with a final slash", async () => {
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

  test("to cancel or resume has no body, and a request to reschedule contains the date", async () => {
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
    "for the invalid subscription id %o is not sent",
    async (id) => {
      const failure = await failureOfCall(() => clientOf().getSubscription(id));
      expect(failure.kind).toBe("not_found");
      expect(fakeService.seen).toHaveLength(0);
    },
  );

  test("comes from a client whose JSON form does not contain the API key", () => {
    expect(JSON.stringify(clientOf())).toBe("{}");
  });
});

describe("a successful response", () => {
  test("is returned as unchanged text by a read of the raw record", async () => {
    const text = '{"id":12345678901234567890,"price":1500.00,"more":{"a":1}}';
    fakeService.answers = [textAnswer(200, text)];
    expect(await clientOf().readRaw("customers/7")).toBe(text);
    expect(fakeService.seen[0]?.url).toBe("/api/v1/customers/7/");
    fakeService.answers = [jsonAnswer(404, { detail: "Not found." })];
    expect(await failureOfCall(() => clientOf().readRaw("customers/8"))).toEqual({
      kind: "not_found",
    });
  });

  test("may contain unknown fields and lack known fields", async () => {
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
  ])("is an unexpected failure if it contains %s", async (_name, answer) => {
    fakeService.answers = [answer];
    expect(await failureOfCall(() => listWithTimeout())).toEqual({ kind: "unexpected" });
    expect(fakeService.seen).toHaveLength(1);
  });
});

describe("the state of the API key", () => {
  test.each<[string, AnswerRequest, KeyResult[]]>([
    ["a page", jsonAnswer(200, emptyPage), ["good"]],
    ["401", jsonAnswer(401, { detail: "No." }), ["refused"]],
    ["403", jsonAnswer(403, { detail: "No." }), ["unverified"]],
    ["403 of a proxy", textAnswer(403, "<h1>Forbidden</h1>"), []],
    ["404", jsonAnswer(404, { detail: "No." }), []],
    ["HTML", textAnswer(200, "<h1>It works!</h1>"), []],
    ["a broken connection", closeConnection, []],
  ])(
    "is reported after %s, if the response shows whether the key works",
    async (_name, answer, heard) => {
      fakeService.answers = [answer];
      await listWithTimeout().catch(() => {});
      expect(fakeService.told).toEqual(heard);
    },
  );

  test("is “listed” after a product list, which does not show whether the account is verified", async () => {
    fakeService.answers = [jsonAnswer(200, emptyPage)];
    await clientOf().listProducts({ page: 1, page_size: 1 });
    expect(fakeService.told).toEqual(["listed"]);
  });
});

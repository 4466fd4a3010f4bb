import { describe, expect, test } from "vitest";
import {
  clientOf,
  emptyPage,
  failureOfCall,
  jsonAnswer,
  closeConnection,
  fakeService,
  textAnswer,
  useBillingServer,
} from "#tools/testing/servers/billing-server.ts";
import type { Failure } from "#lib/failure.ts";
import { listProblemOf, listEndpoints, registerEndpointOnce } from "./webhook-endpoints.ts";

const endpointEvent = { event: "checkout.failed", endpoint_url: "https://shop.example/hooks" };
const record = { id: 7, ...endpointEvent, is_active: true, created_at: "2026-11-20T00:00:00Z" };
const holding = jsonAnswer(200, { ...emptyPage, count: 1, results: [record] });
const register = () => registerEndpointOnce(clientOf(), endpointEvent);
const calls = () => fakeService.seen.map(({ method }) => method);

useBillingServer();

describe("registering a webhook endpoint once", () => {
  test("creates an endpoint that is not in the list, and returns its secret", async () => {
    fakeService.answers = [
      jsonAnswer(200, emptyPage),
      jsonAnswer(201, record, { "x-webhook-secret": "whsec_x" }),
    ];
    await expect(register()).resolves.toEqual({
      webhook: record,
      secret: "whsec_x",
      is_new: true,
    });
    expect(JSON.parse(fakeService.seen[1]?.body ?? "")).toEqual({
      ...endpointEvent,
      is_active: true,
    });
  });

  test("creates nothing if the endpoint is registered already", async () => {
    fakeService.answers = [holding];
    await expect(register()).resolves.toMatchObject({ webhook: { id: 7 }, is_new: false });
    expect(calls()).toEqual(["GET"]);
  });

  test("finds the endpoint in the list if the response to its creation was lost", async () => {
    fakeService.answers = [jsonAnswer(200, emptyPage), closeConnection, holding];
    await expect(register()).resolves.toEqual({
      webhook: record,
      secret: null,
      is_new: true,
    });
    expect(calls()).toEqual(["GET", "POST", "GET"]);
  });

  test("reports an unknown outcome if the response is unreadable and the list lacks the endpoint, without a retry", async () => {
    fakeService.answers = [
      jsonAnswer(200, emptyPage),
      textAnswer(201, ""),
      jsonAnswer(200, emptyPage),
    ];
    expect(await failureOfCall(register)).toMatchObject({
      kind: "unavailable",
      outcome_unknown: true,
    });
    expect(calls()).toEqual(["GET", "POST", "GET"]);
  });

  test("creates nothing if the service is unavailable for the list", async () => {
    fakeService.answers = [jsonAnswer(503, { detail: "Soon." })];
    expect(await failureOfCall(register)).toMatchObject({
      kind: "unavailable",
      outcome_unknown: false,
    });
    expect(new Set(calls())).toEqual(new Set(["GET"]));
  });

  test("creates nothing if the service answers with HTML instead of the list", async () => {
    fakeService.answers = [textAnswer(200, "<h1>Back soon</h1>"), jsonAnswer(201, record)];
    expect(await failureOfCall(register)).toEqual({ kind: "unexpected" });
    expect(calls()).toEqual(["GET"]);
  });

  test("tries to create the endpoint if the service has no list, and reports the service's refusal", async () => {
    fakeService.answers = [
      jsonAnswer(404, { detail: "Not found." }),
      jsonAnswer(405, { detail: "No." }),
    ];
    expect(await failureOfCall(register)).toEqual({ kind: "not_offered" });
    expect(calls()).toEqual(["GET", "POST"]);
  });
});

describe("the list of webhook endpoints", () => {
  const page = (ids: number[], next: string | null) =>
    jsonAnswer(200, { count: null, next, previous: null, results: ids.map((id) => ({ id })) });
  const MORE = "http://elsewhere.invalid/";

  test("is read to the last page and contains each endpoint once", async () => {
    fakeService.answers = [page([3, 2], MORE), page([2, 1], null)];
    const { webhooks, is_complete } = await listEndpoints(clientOf());
    expect(webhooks.map(({ id }) => id)).toEqual([3, 2, 1]);
    expect(is_complete).toBe(true);
  });

  test("is complete if the next page no longer exists", async () => {
    fakeService.answers = [page([3, 2], MORE), jsonAnswer(404, { detail: "Invalid page." })];
    await expect(listEndpoints(clientOf())).resolves.toMatchObject({
      webhooks: [{ id: 3 }, { id: 2 }],
      is_complete: true,
      absence: null,
    });
  });

  test("is read up to ten pages and then marked as incomplete", async () => {
    fakeService.answers = Array.from({ length: 11 }, (_, at) => page([at], MORE));
    const { webhooks, is_complete } = await listEndpoints(clientOf());
    expect([webhooks.length, is_complete]).toEqual([10, false]);
  });

  test.each([
    ["absent", jsonAnswer(404, { detail: "Not found." })],
    ["absent", jsonAnswer(405, { detail: "No." })],
    ["absent", textAnswer(404, "<h1>Not here</h1>")],
    ["unreadable", jsonAnswer(200, { webhooks: [] })],
    ["unreadable", textAnswer(200, "<h1>It works!</h1>")],
  ])("is reported as %s for a response that is no list (%#)", async (absence, answer) => {
    fakeService.answers = [answer];
    await expect(listEndpoints(clientOf())).resolves.toMatchObject({
      webhooks: [],
      absence,
    });
  });

  test("does not count as absent after a temporary failure", async () => {
    fakeService.answers = [jsonAnswer(503, { detail: "Soon." })];
    expect((await failureOfCall(() => listEndpoints(clientOf()))).kind).toBe("unavailable");
  });
});

test.each<[Failure, "absent" | "unreadable" | null]>([
  [{ kind: "not_found" }, "absent"],
  [{ kind: "not_offered" }, "absent"],
  [{ kind: "conflict", detail: "No list." }, "absent"],
  [{ kind: "unexpected" }, "unreadable"],
  [{ kind: "unavailable", outcome_unknown: false }, null],
  [{ kind: "rate_limited", retry_after: 3 }, null],
  [{ kind: "unauthorized" }, null],
])(
  "a list of webhook endpoints that fails with %o is reported as %s (null: neither)",
  (failure, absence) => {
    expect(listProblemOf(failure)).toBe(absence);
  },
);

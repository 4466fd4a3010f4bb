import { describe, expect, test } from "vitest";
import {
  clientOf,
  create,
  emptyPage,
  failureOfCall,
  json,
  list,
  reset,
  service,
  text,
  useBillingServer,
  type Answer,
} from "#tools/testing/servers/billing-server.ts";

const hang: Answer = () => {};
const begin = (response: Parameters<Answer>[1], status: number) =>
  response.writeHead(status, { "content-type": "application/json" }).write('{"results": [');
/** Sends the beginning of an answer, then a space at short intervals. */
const dripOf =
  (status: number): Answer =>
  (_request, response) => {
    begin(response, status);
    const timer = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(timer));
  };
const drip = dripOf(404);
const endless = dripOf(200);
const cutOff: Answer = (request, response) => {
  begin(response, 404);
  setImmediate(() => request.socket.destroy());
};
// The timeout is short only for an answer that never completes, because that test waits for it.
const timeoutFor = (answer: Answer) => (answer === hang || answer === endless ? 250 : 5_000);
const cancel = (timeout?: number) => clientOf("", timeout).cancelSubscription("s-1");

useBillingServer();

describe("a failure", () => {
  test.each([
    [json(401, { detail: "No." }), { kind: "unauthorized" }],
    [json(403, { detail: "No." }), { kind: "unverified" }],
    [json(404, { detail: "No." }), { kind: "not_found" }],
    [text(404, "<h1>Not Found</h1>"), { kind: "not_found" }],
    [json(429, {}, { "retry-after": "7" }), { kind: "rate_limited", retry_after: 7 }],
    [text(429, "slow down"), { kind: "rate_limited", retry_after: null }],
    [text(400, "<h1>Bad Request</h1>"), { kind: "unexpected", status: 400 }],
    [text(418, ""), { kind: "unexpected", status: 418 }],
    [json(405, { detail: 'Method "GET" not allowed.' }), { kind: "not_offered" }],
    [
      json(400, { status: ["Not a status."] }),
      { kind: "validation", fields: { status: ["Not a status."] }, detail: null },
    ],
  ])("of a read is described by Duebook's own text (%#)", async (answer, failure) => {
    service.answers = [answer];
    expect(await failureOfCall(() => list())).toEqual(failure);
    expect(service.seen).toHaveLength(1);
  });

  test.each([301, 302, 307, 308])(
    "is reported for a redirect %i, which is not followed",
    async (status) => {
      service.answers = [
        text(status, "", { location: `http://127.0.0.1:${service.port}/elsewhere` }),
      ];
      expect(await failureOfCall(() => list())).toEqual({ kind: "unexpected", status });
      expect(await failureOfCall(() => create())).toEqual({ kind: "unexpected", status });
      expect(service.seen).toHaveLength(2);
    },
  );

  test.each([
    ["breaks off", cutOff],
    ["never ends", drip],
    ["is garbage in gzip", text(404, "no gzip", { "content-encoding": "gzip" })],
  ])("is determined by its status when its body %s", async (_name, answer) => {
    service.answers = [answer];
    expect(await failureOfCall(() => cancel(250))).toEqual({ kind: "not_found" });
  });

  test("of nested fields gets their paths, in both formats", async () => {
    service.answers = [
      json(400, { client: { billing: { billing_email: ["Wrong."] } }, pbp_id: "Unknown." }),
      json(400, { client: ["phone: Too short."] }),
    ];
    expect(await failureOfCall(() => create())).toEqual({
      kind: "validation",
      fields: { "client.billing.billing_email": ["Wrong."], pbp_id: ["Unknown."] },
      detail: null,
    });
    expect(await failureOfCall(() => create())).toMatchObject({
      fields: { "client.phone": ["Too short."] },
    });
  });

  test("of a duplicate is a conflict with the service's message", async () => {
    service.answers = [json(400, { detail: "An active subscription exists." })];
    const failure = await failureOfCall(() => create());
    expect(failure).toEqual({ kind: "conflict", detail: "An active subscription exists." });
  });
});

describe("a service that cannot be reached", () => {
  test.each([
    ["resets the connection", reset],
    ["hangs", hang],
    ["answers 502", text(502, "<h1>Bad Gateway</h1>")],
    ["answers 503", json(503, { detail: "Later." })],
    ["answers 504", text(504, "")],
    ["cuts its answer off", text(200, '{"count": 1, "results": [')],
  ])("is called once more when it %s, and the second answer is used", async (_name, answer) => {
    service.answers = [answer, json(200, emptyPage)];
    await expect(list(timeoutFor(answer))).resolves.toMatchObject({ results: [] });
    expect(service.seen).toHaveLength(2);
  });

  test.each([
    ["resets the connection", reset, 2],
    ["hangs", hang, 2],
    ["begins an answer that never ends", endless, 2],
    ["answers 503", json(503, {}), 2],
    ["answers 500", text(500, "Traceback (most recent call last)"), 1],
  ])("is unavailable when it %s every time", async (_name, answer, asked) => {
    service.answers = [answer];
    const failure = await failureOfCall(() => list(timeoutFor(answer)));
    expect(failure).toMatchObject({ kind: "unavailable", outcome_unknown: false });
    expect(service.seen).toHaveLength(asked);
  });

  test.each([
    ["resets the connection", reset],
    ["hangs", hang],
    ["begins an answer that never ends", endless],
    ["answers 502", text(502, "")],
    ["answers 500 without an end", dripOf(500)],
    ["answers 201 in HTML", text(201, "<h1>Created</h1>")],
    ["answers 201 with nothing", text(201, "")],
    ["answers 201 with null", json(201, null)],
    ["answers 201 in garbage", text(201, "no gzip", { "content-encoding": "gzip" })],
  ])(
    "leaves the outcome of a write unknown when it %s, and is not called again",
    async (_name, answer) => {
      service.answers = [answer];
      for (const write of [create, cancel])
        expect(await failureOfCall(() => write(timeoutFor(answer)))).toMatchObject({
          kind: "unavailable",
          outcome_unknown: true,
        });
      expect(service.seen).toHaveLength(2);
    },
  );

  test("has not done anything if the connection was refused", async () => {
    await service.close();
    expect(await failureOfCall(() => create())).toEqual({
      kind: "unavailable",
      outcome_unknown: false,
    });
    await service.listen();
  });
});

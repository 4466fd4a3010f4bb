import { describe, expect, test } from "vitest";
import {
  clientOf,
  createWithTimeout,
  emptyPage,
  failureOfCall,
  jsonAnswer,
  listWithTimeout,
  closeConnection,
  fakeService,
  textAnswer,
  useBillingServer,
  type AnswerRequest,
} from "#tools/testing/servers/billing-server.ts";

const hang: AnswerRequest = () => {};
const begin = (response: Parameters<AnswerRequest>[1], status: number) =>
  response.writeHead(status, { "content-type": "application/json" }).write('{"results": [');
/** Sends the beginning of an answer, then a space at short intervals. */
const dripOf =
  (status: number): AnswerRequest =>
  (_request, response) => {
    begin(response, status);
    const timer = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(timer));
  };
const drip = dripOf(404);
const endless = dripOf(200);
const cutOff: AnswerRequest = (request, response) => {
  begin(response, 404);
  setImmediate(() => request.socket.destroy());
};
// The timeout is short only for an answer that never completes, because that test waits for it.
const timeoutFor = (answer: AnswerRequest) =>
  answer === hang || answer === endless ? 250 : 5_000;
const cancel = (timeout?: number) => clientOf("", timeout).cancelSubscription("s-1");

useBillingServer();

describe("a failed request", () => {
  test.each([
    [jsonAnswer(401, { detail: "No." }), { kind: "unauthorized" }],
    [jsonAnswer(403, { detail: "No." }), { kind: "unverified" }],
    [jsonAnswer(404, { detail: "No." }), { kind: "not_found" }],
    [textAnswer(404, "<h1>Not Found</h1>"), { kind: "not_found" }],
    [jsonAnswer(429, {}, { "retry-after": "7" }), { kind: "rate_limited", retry_after: 7 }],
    [textAnswer(429, "slow down"), { kind: "rate_limited", retry_after: null }],
    [textAnswer(400, "<h1>Bad Request</h1>"), { kind: "unexpected", status: 400 }],
    [textAnswer(418, ""), { kind: "unexpected", status: 418 }],
    [jsonAnswer(405, { detail: 'Method "GET" not allowed.' }), { kind: "not_offered" }],
    [
      jsonAnswer(400, { status: ["Not a status."] }),
      { kind: "validation", fields: { status: ["Not a status."] }, detail: null },
    ],
  ])(
    "to read has the kind of failure that the response means, and is not repeated (%#)",
    async (answer, failure) => {
      fakeService.answers = [answer];
      expect(await failureOfCall(() => listWithTimeout())).toEqual(failure);
      expect(fakeService.seen).toHaveLength(1);
    },
  );

  test.each([301, 302, 307, 308])(
    "does not follow the redirect %i and reports an unexpected failure",
    async (status) => {
      fakeService.answers = [
        textAnswer(status, "", { location: `http://127.0.0.1:${fakeService.port}/elsewhere` }),
      ];
      expect(await failureOfCall(() => listWithTimeout())).toEqual({
        kind: "unexpected",
        status,
      });
      expect(await failureOfCall(() => createWithTimeout())).toEqual({
        kind: "unexpected",
        status,
      });
      expect(fakeService.seen).toHaveLength(2);
    },
  );

  test.each([
    ["is cut off", cutOff],
    ["never ends", drip],
    ["is invalid gzip", textAnswer(404, "no gzip", { "content-encoding": "gzip" })],
  ])(
    "has the kind of failure of the response's status if the response's body %s",
    async (_name, answer) => {
      fakeService.answers = [answer];
      expect(await failureOfCall(() => cancel(250))).toEqual({ kind: "not_found" });
    },
  );

  test("reports refused nested fields by their paths, from nested objects and from plain text", async () => {
    fakeService.answers = [
      jsonAnswer(400, {
        client: { billing: { billing_email: ["Wrong."] } },
        pbp_id: "Unknown.",
      }),
      jsonAnswer(400, { client: ["phone: Too short."] }),
    ];
    expect(await failureOfCall(() => createWithTimeout())).toEqual({
      kind: "validation",
      fields: { "client.billing.billing_email": ["Wrong."], pbp_id: ["Unknown."] },
      detail: null,
    });
    expect(await failureOfCall(() => createWithTimeout())).toMatchObject({
      fields: { "client.phone": ["Too short."] },
    });
  });

  test("for a duplicate subscription is a conflict with the service's message", async () => {
    fakeService.answers = [jsonAnswer(400, { detail: "An active subscription exists." })];
    const failure = await failureOfCall(() => createWithTimeout());
    expect(failure).toEqual({ kind: "conflict", detail: "An active subscription exists." });
  });
});

describe("a failing service", () => {
  test.each([
    ["resets the connection", closeConnection],
    ["hangs", hang],
    ["answers 502", textAnswer(502, "<h1>Bad Gateway</h1>")],
    ["answers 503", jsonAnswer(503, { detail: "Later." })],
    ["answers 504", textAnswer(504, "")],
    ["cuts its answer short", textAnswer(200, '{"count": 1, "results": [')],
  ])(
    "is called once more for a read when it %s, and the second response is used",
    async (_name, answer) => {
      fakeService.answers = [answer, jsonAnswer(200, emptyPage)];
      await expect(listWithTimeout(timeoutFor(answer))).resolves.toMatchObject({ results: [] });
      expect(fakeService.seen).toHaveLength(2);
    },
  );

  test.each([
    ["resets the connection", closeConnection, 2],
    ["hangs", hang, 2],
    ["begins an answer that never ends", endless, 2],
    ["answers 503", jsonAnswer(503, {}), 2],
    ["answers 500", textAnswer(500, "Traceback (most recent call last)"), 1],
  ])("counts as unavailable when it %s at every try", async (_name, answer, asked) => {
    fakeService.answers = [answer];
    const failure = await failureOfCall(() => listWithTimeout(timeoutFor(answer)));
    expect(failure).toMatchObject({ kind: "unavailable", outcome_unknown: false });
    expect(fakeService.seen).toHaveLength(asked);
  });

  test.each([
    ["resets the connection", closeConnection],
    ["hangs", hang],
    ["begins an answer that never ends", endless],
    ["answers 502", textAnswer(502, "")],
    ["answers 500 and never ends the body", dripOf(500)],
    ["answers 201 in HTML", textAnswer(201, "<h1>Created</h1>")],
    ["answers 201 with nothing", textAnswer(201, "")],
    ["answers 201 with null", jsonAnswer(201, null)],
    [
      "answers 201 with invalid gzip",
      textAnswer(201, "no gzip", { "content-encoding": "gzip" }),
    ],
  ])(
    "leaves the outcome of a write unknown when it %s, and the write is not sent again",
    async (_name, answer) => {
      fakeService.answers = [answer];
      for (const write of [createWithTimeout, cancel])
        expect(await failureOfCall(() => write(timeoutFor(answer)))).toMatchObject({
          kind: "unavailable",
          outcome_unknown: true,
        });
      expect(fakeService.seen).toHaveLength(2);
    },
  );

  test("has certainly not done a write if it refused the connection", async () => {
    await fakeService.close();
    expect(await failureOfCall(() => createWithTimeout())).toEqual({
      kind: "unavailable",
      outcome_unknown: false,
    });
    await fakeService.listen();
  });
});

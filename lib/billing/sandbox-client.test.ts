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
  type AnswerRequest,
} from "#tools/testing/servers/billing-server.ts";
import { SandboxClient } from "./sandbox-client.ts";
import { nullIfUnsupported } from "./client.ts";

const clock = {
  now: "2026-12-21T03:00:00.000Z",
  real_now: "2026-11-21T03:00:00.000Z",
  is_ahead: true,
  time_zone: "Asia/Kathmandu",
  next_transition_at: null,
};
const span = { from: clock.real_now, to: clock.now, count: 0, steps: [] };

useBillingServer();

test("a sandbox reset that is refused because the account is in use is sent again", async () => {
  const busy = jsonAnswer(409, { detail: "The account is in use." });
  fakeService.answers = [busy, jsonAnswer(200, { message: "Done." })];
  await new SandboxClient(clientOf("/billing/")).reset();
  expect(fakeService.seen.map(({ url }) => url)).toEqual([
    "/billing/sandbox/reset/",
    "/billing/sandbox/reset/",
  ]);
});

test("the sandbox client calls each sandbox route below the API's base URL", async () => {
  const sandbox = new SandboxClient(clientOf("/billing/"));
  fakeService.answers = [
    jsonAnswer(200, clock),
    jsonAnswer(200, span),
    jsonAnswer(200, span),
    jsonAnswer(200, span),
    jsonAnswer(200, clock),
    jsonAnswer(200, { results: [] }),
    jsonAnswer(200, { message: "Done." }),
    jsonAnswer(200, { message: "Done." }),
    jsonAnswer(200, { results: [] }),
    jsonAnswer(201, { id: 3, name: "Before the fair" }),
    jsonAnswer(200, { message: "Done." }),
    jsonAnswer(200, { message: "Done." }),
  ];
  await sandbox.readClock();
  await sandbox.readForecast({ by: "P1M" });
  await sandbox.advanceClock({ to: clock.now });
  await sandbox.jumpToNext();
  await sandbox.setClockRight();
  await sandbox.listScenarios();
  await sandbox.startScenario("some_due");
  await sandbox.reset();
  expect(await sandbox.listStates()).toEqual({ results: [], most_saved: 0 });
  await sandbox.saveState("Before the fair");
  expect(await sandbox.restoreState(3)).toMatchObject({ undo: null });
  await sandbox.deleteState(3);
  expect(fakeService.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
    ["GET", "/billing/sandbox/clock/", ""],
    ["GET", "/billing/sandbox/forecast/?by=P1M", ""],
    ["POST", "/billing/sandbox/clock/advance/", JSON.stringify({ to: clock.now })],
    ["POST", "/billing/sandbox/clock/next/", ""],
    ["POST", "/billing/sandbox/clock/reset/", ""],
    ["GET", "/billing/sandbox/scenarios/", ""],
    ["POST", "/billing/sandbox/scenarios/", JSON.stringify({ name: "some_due" })],
    ["POST", "/billing/sandbox/reset/", ""],
    ["GET", "/billing/sandbox/states/", ""],
    ["POST", "/billing/sandbox/states/", JSON.stringify({ name: "Before the fair" })],
    ["POST", "/billing/sandbox/states/3/restore/", ""],
    ["POST", "/billing/sandbox/states/3/delete/", ""],
  ]);
});

test("the sandbox client simulates a payment, and sends no request for an invalid subscription id", async () => {
  fakeService.answers = [jsonAnswer(200, { subscription_id: "s-1", result: "paid" })];
  const payment = { outcome: "approve", method: "wallet" } as const;
  const sandbox = new SandboxClient(clientOf());
  await expect(sandbox.simulatePayment("s-1", payment)).resolves.toMatchObject({
    result: "paid",
  });
  expect(fakeService.seen[0]?.url).toBe("/sandbox/subscriptions/s-1/pay/");
  const failure = await failureOfCall(() => sandbox.simulatePayment("../reset", payment));
  expect(failure).toEqual({ kind: "not_found" });
  expect(fakeService.seen).toHaveLength(1);
});

test("the sandbox client does not repeat a clock move whose response is lost", async () => {
  fakeService.answers = [closeConnection];
  const failure = await failureOfCall(() =>
    new SandboxClient(clientOf()).advanceClock({ to: clock.now }),
  );
  expect(failure).toMatchObject({ kind: "unavailable", outcome_unknown: true });
  expect(fakeService.seen).toHaveLength(1);
});

describe("a missing sandbox", () => {
  const read = () => {
    const client = clientOf();
    return nullIfUnsupported(client, () => new SandboxClient(client).readClock());
  };
  const apiAnswers =
    (sandbox: AnswerRequest, api: AnswerRequest): AnswerRequest =>
    (request, response) =>
      (request.url?.startsWith("/sandbox/") ? sandbox : api)(request, response);

  test.each([
    [404, jsonAnswer(404, { detail: "Not found." })],
    [404, textAnswer(404, "<h1>Not Found</h1>")],
    [405, jsonAnswer(405, { detail: "Method not allowed." })],
    [400, textAnswer(400, "Bad Request")],
    [401, jsonAnswer(401, { detail: "No such route." })],
    [403, jsonAnswer(403, { message: "Missing Authentication Token" })],
    [200, textAnswer(200, "<html>A page for everything</html>")],
  ])(
    "is recognised by the sandbox's status %i if the API itself accepts the key (%#)",
    async (_status, answer) => {
      fakeService.answers = [apiAnswers(answer, jsonAnswer(200, emptyPage))];
      await expect(read()).resolves.toBeNull();
      expect(fakeService.told).not.toContain("refused");
      expect(fakeService.told).not.toContain("unverified");
    },
  );

  test("is not assumed if the key is refused or the service does not answer", async () => {
    const refused = jsonAnswer(401, { detail: "Invalid key." });
    fakeService.answers = [apiAnswers(refused, refused)];
    expect(await failureOfCall(read)).toEqual({ kind: "unauthorized" });
    fakeService.answers = [apiAnswers(jsonAnswer(503, {}), jsonAnswer(200, emptyPage))];
    expect(await failureOfCall(read)).toMatchObject({ kind: "unavailable" });
  });

  test("is not assumed if the sandbox responds", async () => {
    fakeService.answers = [jsonAnswer(200, clock)];
    await expect(read()).resolves.toEqual(clock);
  });
});

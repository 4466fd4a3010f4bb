import { beforeEach, expect, test } from "vitest";
import {
  emptyPage,
  failureOfCall,
  jsonAnswer,
  closeConnection,
  fakeService,
  textAnswer,
  useBillingServer,
  type AnswerRequest,
} from "#tools/testing/servers/billing-server.ts";
import { BillingClient, nullIfUnsupported } from "./client.ts";
import type { Extension } from "./transport.ts";
import { SandboxClient } from "./sandbox-client.ts";
import { DeliveryClient, sendIfSupported } from "./delivery-client.ts";

useBillingServer();
let extensions: Set<Extension>;

beforeEach(() => {
  extensions = new Set();
});

const clientOf = () =>
  new BillingClient({
    baseUrl: `http://127.0.0.1:${fakeService.port}`,
    connect: async () => ({
      apiKey: "sk_test_key",
      unsupportedExtensions: [...extensions],
      rememberUnsupported: async (extension) => void extensions.add(extension),
      forgetUnsupported: async (extension) => void extensions.delete(extension),
    }),
    retryDelay: 1,
  });

function ask(...answers: AnswerRequest[]) {
  fakeService.answers = answers;
  const billing = clientOf();
  return nullIfUnsupported(billing, () => new SandboxClient(billing).readClock(), "sandbox");
}

const API_TAKES_IT = jsonAnswer(200, emptyPage);

test.each([
  [jsonAnswer(404, { detail: "Not found." })],
  [jsonAnswer(405, { detail: "Not allowed." })],
  [jsonAnswer(501, {})],
  [jsonAnswer(401, { detail: "Who?" })],
  [jsonAnswer(403, { detail: "Nobody comes in here." })],
])("remembers a missing extension (%#)", async (answer) => {
  await expect(ask(answer, API_TAKES_IT)).resolves.toBeNull();
  expect([...extensions]).toEqual(["sandbox"]);
});

test.each([
  [textAnswer(200, "<h1>Back soon</h1>")],
  [textAnswer(403, "<h1>Blocked</h1>")],
  [jsonAnswer(400, { detail: "Later." })],
  [jsonAnswer(409, { detail: "Busy." })],
  [jsonAnswer(418, {})],
])("a response that may be temporary is not remembered %#", async (answer) => {
  await expect(ask(answer, API_TAKES_IT)).resolves.toBeNull();
  expect([...extensions]).toEqual([]);
});

test.each([[jsonAnswer(503, {})], [jsonAnswer(429, {})], [closeConnection]])(
  "an outage does not mark an extension %#",
  async (answer) => {
    await failureOfCall(() => ask(answer));
    expect([...extensions]).toEqual([]);
  },
);

test("a key that the API refuses too does not mark the extension as missing", async () => {
  const { kind } = await failureOfCall(() => ask(jsonAnswer(401, {})));
  expect(kind).toBe("unauthorized");
  expect([...extensions]).toEqual([]);
});

test("a successful call marks its extension as supported again", async () => {
  const clock = jsonAnswer(200, { now: "2026-11-24T00:00:00Z" });
  fakeService.answers = [
    (request, response) => {
      extensions.add("sandbox");
      clock(request, response);
    },
  ];
  await new SandboxClient(clientOf()).readClock();
  expect([...extensions]).toEqual([]);
});

test("if the service has no notices, no secret is rotated to find out whether it can", async () => {
  fakeService.answers = [jsonAnswer(404, { detail: "Not found." })];
  for (let tries = 0; tries < 2; tries += 1) {
    const billing = clientOf();
    const sent = await sendIfSupported(billing, () =>
      new DeliveryClient(billing).rotateSecret(1),
    );
    expect(sent).toBeNull();
  }
  expect(fakeService.seen.map(({ method }) => method)).toEqual(["GET"]);
});

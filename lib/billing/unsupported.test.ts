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
let offered: Set<Extension>;
/** Minutes for which an extension is not called; a day if undefined. */
let minutes: number | undefined;

beforeEach(() => {
  extensions = new Set();
  offered = new Set();
});

const clientOf = (timeout = 5_000) =>
  new BillingClient({
    baseUrl: `http://127.0.0.1:${fakeService.port}`,
    connect: async () => ({
      apiKey: "sk_test_key",
      unsupportedExtensions: [...extensions],
      rememberUnsupported: async (extension, given) => {
        if (extensions.has(extension)) return;
        extensions.add(extension);
        offered.delete(extension);
        minutes = given;
      },
      offeredExtensions: [...offered],
      rememberOffered: async (extension) => void offered.add(extension),
      forgetUnsupported: async (extension) => void extensions.delete(extension),
    }),
    readTimeout: timeout,
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
])(
  "an API extension that the service lacks is remembered as unsupported (%#)",
  async (answer) => {
    await expect(ask(answer, API_TAKES_IT)).resolves.toBeNull();
    expect([...extensions]).toEqual(["sandbox"]);
  },
);

test.each([
  [textAnswer(200, "<h1>Back soon</h1>")],
  [textAnswer(403, "<h1>Blocked</h1>")],
  [jsonAnswer(400, { detail: "Later." })],
  [jsonAnswer(409, { detail: "Busy." })],
  [jsonAnswer(418, {})],
])(
  "after a response that may be temporary an API extension is not remembered as unsupported (%#)",
  async (answer) => {
    await expect(ask(answer, API_TAKES_IT)).resolves.toBeNull();
    expect([...extensions]).toEqual([]);
  },
);

test.each([[jsonAnswer(503, {})], [jsonAnswer(429, {})], [closeConnection]])(
  "after an outage an API extension is not remembered as unsupported (%#)",
  async (answer) => {
    await failureOfCall(() => ask(answer));
    expect([...extensions]).toEqual([]);
  },
);

test("an API extension is not remembered as unsupported if the API itself refuses the key too", async () => {
  const { kind } = await failureOfCall(() => ask(jsonAnswer(401, {})));
  expect(kind).toBe("unauthorized");
  expect([...extensions]).toEqual([]);
});

test("an API extension is no longer remembered as unsupported after a successful call", async () => {
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

const FILTER = {
  state: null,
  skipped: null,
  event: null,
  webhook_id: null,
  subscription_id: null,
  created_from: null,
  created_to: null,
  before: null,
  page_size: 20,
};
const OFFER = {
  mode: "live",
  capabilities: ["deliveries"],
  operations: [
    { method: "GET", path: "/account/v1/deliveries/", capability: "deliveries", scope: "read" },
  ],
};

/** Lists deliveries with a fresh client. @returns the paths that were requested */
async function listPaths(answers: AnswerRequest[], timeout?: number) {
  fakeService.answers = answers;
  fakeService.seen.length = 0;
  const page = await new DeliveryClient(clientOf(timeout)).listDeliveries(FILTER);
  expect(page?.results ?? null).toEqual([]);
  return fakeService.seen.map(({ method, url }) => `${method} ${url.replace(/\?.*/, "")}`);
}

const DIRECTORY = "GET /account/v1/";
const IN_ACCOUNT = "GET /account/v1/deliveries/";
const IN_SANDBOX = "GET /sandbox/deliveries/";

test("deliveries are read from the account API if its list of operations contains them", async () => {
  const list = jsonAnswer(200, emptyPage);
  expect(await listPaths([jsonAnswer(200, OFFER), list])).toEqual([DIRECTORY, IN_ACCOUNT]);
  expect([...offered]).toEqual(["account"]);
  expect(await listPaths([list])).toEqual([IN_ACCOUNT]);
});

const tokenOnly = { ...OFFER, operations: [{ ...OFFER.operations[0], scope: null }] };

test.each([
  [jsonAnswer(404, { detail: "Not found." })],
  [textAnswer(404, "<h1>Not Found</h1>")],
  [jsonAnswer(401, { detail: "Who?" })],
  [jsonAnswer(403, { detail: "No." })],
  [jsonAnswer(405, {})],
  [jsonAnswer(501, {})],
  [jsonAnswer(200, {})],
  [jsonAnswer(200, { operations: "none" })],
  [jsonAnswer(200, { operations: [7, null] })],
  [jsonAnswer(200, tokenOnly)],
])(
  "deliveries are read from the sandbox for a day if the account API does not offer deliveries (%#)",
  async (no) => {
    const list = jsonAnswer(200, emptyPage);
    expect(await listPaths([no, list])).toEqual([DIRECTORY, IN_SANDBOX]);
    expect(minutes).toBeUndefined();
    expect(await listPaths([list])).toEqual([IN_SANDBOX]);
    expect([...extensions]).toEqual(["account"]);
  },
);

const neverAnswers: AnswerRequest = () => {};

test.each([
  ["an error", jsonAnswer(500, {}), 1],
  ["an outage", jsonAnswer(503, {}), 2],
  ["too many requests", jsonAnswer(429, {}), 1],
  ["HTML", textAnswer(200, "<h1>Welcome</h1>"), 1],
  ["HTML of a firewall", textAnswer(403, "<h1>Blocked</h1>"), 1],
  ["a list", jsonAnswer(200, []), 1],
  ["a redirect", jsonAnswer(302, {}, { location: "/login/" }), 1],
  ["a closed connection", closeConnection, 2],
  ["nothing", neverAnswers, 2],
])(
  "deliveries are read from the sandbox for five minutes if the account API answers with %s",
  async (_what, answer, times) => {
    const list = jsonAnswer(200, emptyPage);
    const asked = [...Array<AnswerRequest>(times).fill(answer), list];
    expect(await listPaths(asked, answer === neverAnswers ? 500 : undefined)).toEqual([
      ...Array<string>(times).fill(DIRECTORY),
      IN_SANDBOX,
    ]);
    expect(minutes).toBe(5);
    expect(await listPaths([list])).toEqual([IN_SANDBOX]);
  },
);

test("deliveries are read from the sandbox again once the account API answers 404 for deliveries", async () => {
  offered.add("account");
  fakeService.answers = [jsonAnswer(404, { detail: "Not found." })];
  const billing = clientOf();
  expect(await new DeliveryClient(billing).listDeliveries(FILTER)).toBeNull();
  expect([[...offered], [...extensions]]).toEqual([[], ["account"]]);
  expect(await listPaths([jsonAnswer(200, emptyPage)])).toEqual([IN_SANDBOX]);
});

test("a 404 for one delivery does not mean that the service lacks deliveries", async () => {
  offered.add("account");
  fakeService.answers = [jsonAnswer(404, { detail: "Not found." })];
  const { kind } = await failureOfCall(() => new DeliveryClient(clientOf()).getDelivery("5"));
  expect(kind).toBe("not_found");
  expect([[...offered], [...extensions]]).toEqual([["account"], []]);
});

test("a refused key does not mark the account API as unsupported", async () => {
  fakeService.answers = [jsonAnswer(200, OFFER), jsonAnswer(401, {})];
  const { kind } = await failureOfCall(() =>
    new DeliveryClient(clientOf()).listDeliveries(FILTER),
  );
  expect(kind).toBe("unauthorized");
  expect([[...offered], [...extensions]]).toEqual([["account"], []]);
});

test("a read request finds out whether the service can rotate signing secrets, before any secret is rotated", async () => {
  fakeService.answers = [jsonAnswer(404, { detail: "Not found." })];
  for (let tries = 0; tries < 2; tries += 1) {
    const billing = clientOf();
    const sent = await sendIfSupported(billing, () =>
      new DeliveryClient(billing).rotateSecret(1),
    );
    expect(sent).toBeNull();
  }
  expect(fakeService.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "GET /account/v1/",
    "GET /sandbox/webhooks/notices/",
  ]);
});

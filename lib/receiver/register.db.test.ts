import { beforeEach, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { SPECIFIED_EVENTS } from "#contract/names.ts";
import { checkEndpoints } from "#lib/billing/receiver-endpoints.ts";
import {
  storeOwnSecret,
  storeRotatedSecret,
  MAX_SECRETS,
} from "#lib/billing/receiver-secrets.ts";
import { createPool } from "#lib/db/pool.ts";
import {
  clientOf,
  emptyPage,
  failureOfCall,
  jsonAnswer,
  fakeService,
  useBillingServer,
} from "#tools/testing/servers/billing-server.ts";
import { createIndexOwner, TEST_KEYS } from "#tools/testing/fixtures/search-index-fixture.ts";
import { database, pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  deliverTo,
  storeReceiverSecret,
  TEST_SECRET,
  signedRequest,
  readReceiverToken,
} from "#tools/testing/fixtures/receiver-fixture.ts";
import { readReceiver } from "./store.ts";
import { receiverStatusOf } from "./rules.ts";
import { registerEndpoint, renewReceiver } from "./register.ts";

useDashboardDatabase();
useBillingServer();
let owner: KeyOwner;

beforeEach(async () => {
  owner = await createIndexOwner();
});

const baseUrl = "http://localhost:3000";
const register = () => {
  const billing = clientOf("", 5_000, { offeredExtensions: ["account"] });
  return registerEndpoint(pool, owner, { billing, keys: TEST_KEYS, baseUrl });
};
const stateOf = () => readReceiver(pool, owner, baseUrl);
const urlOf = async () => `${baseUrl}/api/received/${await readReceiverToken(owner)}`;

const record = (id: number, event: string, endpoint_url: string) => ({
  id,
  event,
  endpoint_url,
  is_active: true,
  created_at: "2026-11-20T00:00:00Z",
});
const created = async (at: number) =>
  jsonAnswer(201, record(at, SPECIFIED_EVENTS[at] ?? "", await urlOf()), {
    "x-webhook-secret": TEST_SECRET,
  });
const listOf = async () => {
  const url = await urlOf();
  const results = SPECIFIED_EVENTS.map((event, at) => record(at, event, url));
  return jsonAnswer(200, { ...emptyPage, count: results.length, results });
};

async function answerAll() {
  fakeService.answers = [];
  for (const at of SPECIFIED_EVENTS.keys())
    fakeService.answers.push(jsonAnswer(200, emptyPage), await created(at));
}

test("the registration of the receiver covers every event, and deliveries are verified from then on", async () => {
  await answerAll();
  await expect(register()).resolves.toEqual({
    verified: [...SPECIFIED_EVENTS],
    without_secret: [],
    refused: [],
  });
  const posted = fakeService.seen.filter(({ method }) => method === "POST");
  expect(posted.map(({ body }) => JSON.parse(body))).toEqual(
    await Promise.all(
      SPECIFIED_EVENTS.map(async (event) => ({
        event,
        endpoint_url: await urlOf(),
        is_active: true,
      })),
    ),
  );
  const { secrets, registered_at } = await stateOf();
  expect(secrets.map(({ event }) => event)).toEqual([...SPECIFIED_EVENTS]);
  expect(registered_at).not.toBeNull();
  expect(JSON.stringify(await stateOf())).not.toContain(TEST_SECRET.slice(6));
  await expect(
    deliverTo(await readReceiverToken(owner), await signedRequest()),
  ).resolves.toMatchObject({
    status: 204,
    reason: null,
  });
});

test("registering the receiver a second time creates and changes nothing", async () => {
  await answerAll();
  await register();
  const before = fakeService.seen.length;
  fakeService.answers = [await listOf(), await listOf(), await listOf()];
  await expect(register()).resolves.toMatchObject({ verified: [...SPECIFIED_EVENTS] });
  expect(fakeService.seen.slice(before).map(({ method }) => method)).toEqual([
    "GET",
    "GET",
    "GET",
  ]);
});

test("while a registration runs, a second registration and a new receiver URL are rejected", async () => {
  await answerAll();
  const url = await urlOf();
  const both = await Promise.allSettled([register(), register(), register()]);
  expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(fakeService.seen.filter(({ method }) => method === "POST")).toHaveLength(3);
  await pool.query("update receiver set busy_until = now() + interval '1 minute'");
  for (const refused of [register, () => renewReceiver(pool, owner)]) {
    const { kind } = await failureOfCall(refused);
    expect(kind).toBe("conflict");
  }
  expect((await stateOf()).secrets).toHaveLength(3);
  await expect(urlOf()).resolves.toBe(url);
  // The registration crashed, and its lease ended.
  await pool.query("update receiver set busy_until = now() - interval '1 second'");
  await renewReceiver(pool, owner);
  await expect(stateOf()).resolves.toMatchObject({ secrets: [], was_registered: false });
  await expect(urlOf()).resolves.not.toBe(url);
});

test("the registration needs no more than one database connection at a time", async () => {
  await answerAll();
  const one = createPool(database.url);
  one.options.max = 1;
  const means = { billing: clientOf(), keys: TEST_KEYS, baseUrl };
  try {
    await expect(registerEndpoint(one, owner, means)).resolves.toMatchObject({
      verified: [...SPECIFIED_EVENTS],
    });
  } finally {
    await one.end();
  }
});

test("at a service that does not list webhooks, a second registration creates no webhook", async () => {
  const absent = jsonAnswer(404, { detail: "Not found." });
  fakeService.answers = [];
  for (const at of SPECIFIED_EVENTS.keys()) fakeService.answers.push(absent, await created(at));
  await register();
  const before = fakeService.seen.length;
  fakeService.answers = [absent, absent, absent];
  await expect(register()).resolves.toMatchObject({ verified: [...SPECIFIED_EVENTS] });
  expect(fakeService.seen.slice(before).map(({ method }) => method)).toEqual([
    "GET",
    "GET",
    "GET",
  ]);
});

test("when the limit of secrets is reached, a new secret is refused and the stored secrets stay valid", async () => {
  const keep = (at: number) => storeReceiverSecret(owner, TEST_SECRET, at);
  for (let at = 0; at < MAX_SECRETS; at += 1) expect(await keep(at)).toBe(true);
  expect(await keep(MAX_SECRETS)).toBe(false);
  // A secret that replaces another one of the same endpoint does not count towards the limit.
  for (let again = 0; again < 3; again += 1) expect(await keep(0)).toBe(true);
  const { secrets } = await stateOf();
  expect(secrets.filter(({ ends_at }) => ends_at === null)).toHaveLength(MAX_SECRETS);
  await storeReceiverSecret(owner, TEST_SECRET, null).then((isKept) =>
    expect(isKept).toBe(false),
  );
  expect((await stateOf()).secrets).toHaveLength(MAX_SECRETS + 3);
});

test("the secret of a deleted endpoint ends when another endpoint replaces the deleted one", async () => {
  await answerAll();
  await register();
  const url = await urlOf();
  const again = SPECIFIED_EVENTS.map((event, at) => record(at + 10, event, url));
  fakeService.answers = again.flatMap((one) => [
    jsonAnswer(200, emptyPage),
    jsonAnswer(201, one, { "x-webhook-secret": TEST_SECRET }),
  ]);
  await register();
  const { secrets } = await stateOf();
  const inForce = secrets.filter(({ ends_at }) => ends_at === null);
  expect(inForce.map(({ webhook_id }) => webhook_id)).toEqual([10, 11, 12]);
  expect(secrets).toHaveLength(6);
});

test("secrets of endpoints missing after a restored state end, and are valid again with the endpoints", async () => {
  await answerAll();
  await register();
  const look = () => checkEndpoints(pool, owner, clientOf());
  fakeService.answers = [jsonAnswer(200, emptyPage)];
  await expect(look()).resolves.toBe(false);
  const gone = await stateOf();
  expect(gone).toMatchObject({ registered_at: null, was_registered: true });
  expect(gone.secrets.every(({ ends_at }) => ends_at !== null)).toBe(true);
  // Deliveries already on their way to the replaced endpoint are still verified.
  await expect(
    deliverTo(await readReceiverToken(owner), await signedRequest()),
  ).resolves.toMatchObject({
    reason: null,
  });
  // A service without a webhook list gives no reason to report missing endpoints.
  fakeService.answers = [jsonAnswer(404, { detail: "Not found." })];
  await expect(look()).resolves.toBe(true);
  fakeService.answers = [await listOf()];
  await expect(look()).resolves.toBe(true);
  const back = await stateOf();
  expect(back.registered_at).not.toBeNull();
  expect(back.secrets.map(({ ends_at }) => ends_at)).toEqual([null, null, null]);
});

test("if one event is refused, the other events are registered and the refused event is reported", async () => {
  fakeService.answers = [
    jsonAnswer(200, emptyPage),
    await created(0),
    jsonAnswer(200, emptyPage),
    jsonAnswer(400, { event: ["Not a choice."] }),
    jsonAnswer(200, emptyPage),
    await created(2),
  ];
  const [first, second, third] = SPECIFIED_EVENTS;
  await expect(register()).resolves.toEqual({
    verified: [first, third],
    without_secret: [],
    refused: [second],
  });
  const state = await stateOf();
  expect(state).toMatchObject({ registered_at: null, missing: [second] });
  expect(receiverStatusOf(state)).toBe("partly");
});

test("the registration fails if the service refuses every event", async () => {
  const refused = jsonAnswer(400, { event: ["Not a choice."] });
  fakeService.answers = SPECIFIED_EVENTS.flatMap(() => [jsonAnswer(200, emptyPage), refused]);
  expect((await failureOfCall(register)).kind).toBe("validation");
});

test("an outdated list of webhooks or an unreachable database does not undo a registration", async () => {
  const slow = clientOf();
  const list = slow.listWebhooks.bind(slow);
  slow.listWebhooks = async (...asked) => {
    const listed = await list(...asked);
    await answerAll();
    await register();
    return listed;
  };
  fakeService.answers = [jsonAnswer(200, emptyPage)];
  await expect(checkEndpoints(pool, owner, slow)).resolves.toBe(true);
  const { registered_at, secrets } = await stateOf();
  expect(registered_at).not.toBeNull();
  expect(secrets.map(({ ends_at }) => ends_at)).toEqual([null, null, null]);
  const away = createPool("postgresql://nobody@127.0.0.1:1/none");
  await expect(checkEndpoints(away, owner, clientOf())).resolves.toBe(true);
  await away.end();
});

test("received deliveries are listed by page, newest first, with counts for each verdict", async () => {
  const token = await readReceiverToken(owner);
  await storeReceiverSecret(owner);
  for (let at = 0; at < 27; at += 1)
    await deliverTo(token, await signedRequest({ id: `msg-${at}` }));
  await deliverTo(token, await signedRequest({ id: "msg-0" }));
  const first = await stateOf();
  expect(first.counts).toEqual({ verified: 27, repeated: 1 });
  expect(first.latest).toHaveLength(25);
  const second = await readReceiver(pool, owner, baseUrl, { before: first.next });
  expect(second.latest.map(({ delivery_id }) => delivery_id)).toEqual([
    "msg-2",
    "msg-1",
    "msg-0",
  ]);
  expect(second.next).toBeNull();
});

test("the registration rotates the secret of a webhook whose secret is unknown", async () => {
  const list = await listOf();
  const rotated = jsonAnswer(200, { message: "" }, { "x-webhook-secret": TEST_SECRET });
  const notices = jsonAnswer(200, { results: [] });
  fakeService.answers = SPECIFIED_EVENTS.flatMap(() => [list, notices, rotated]);
  await expect(register()).resolves.toMatchObject({ verified: [...SPECIFIED_EVENTS] });
  expect(fakeService.seen.filter(({ url }) => url.includes("rotate-secret"))).toHaveLength(3);
});

test("a rotated secret replaces the earlier secret, which stays valid for a while", async () => {
  await answerAll();
  await register();
  const next = { webhook_id: 1, secret: `${TEST_SECRET.slice(0, -4)}AAA=` };
  await storeRotatedSecret(pool, owner, next, TEST_KEYS);
  await storeRotatedSecret(pool, owner, { ...next, webhook_id: 99 }, TEST_KEYS);
  const { secrets } = await stateOf();
  expect(secrets).toHaveLength(4);
  expect(secrets.filter(({ ends_at }) => ends_at !== null)).toMatchObject([{ webhook_id: 1 }]);
});

test("the secret of a webhook added by hand is stored only if its URL is the URL of the receiver", async () => {
  const url = await urlOf();
  const made = (endpoint_url: string) => ({
    webhook: {
      ...record(7, "checkout.failed", endpoint_url),
      event: "checkout.failed" as const,
    },
    secret: TEST_SECRET,
    is_new: true,
  });
  await storeOwnSecret(pool, owner, made("https://shop.example/hooks"), TEST_KEYS);
  expect((await stateOf()).secrets).toEqual([]);
  await storeOwnSecret(pool, owner, made(url), TEST_KEYS);
  expect((await stateOf()).secrets).toMatchObject([
    { webhook_id: 7, event: "checkout.failed" },
  ]);
});

import { beforeEach, expect, test } from "vitest";
import { SPECIFIED_EVENTS } from "#contract/names.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import {
  clientOf,
  emptyPage,
  jsonAnswer,
  fakeService,
  useBillingServer,
} from "#tools/testing/servers/billing-server.ts";
import {
  createIndexOwner,
  storeApiKey,
  TEST_KEYS,
} from "#tools/testing/fixtures/search-index-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { TEST_SECRET } from "#tools/testing/fixtures/receiver-fixture.ts";
import { readReceiver } from "./store.ts";
import { registerOncePerKey } from "./auto-register.ts";

useDashboardDatabase();
useBillingServer();
const baseUrl = "http://localhost:3000";
let owner: KeyOwner;

beforeEach(async () => {
  owner = await createIndexOwner();
});

const ask = () =>
  registerOncePerKey(pool, owner, { billing: clientOf(), keys: TEST_KEYS, baseUrl });
const stateOf = () => readReceiver(pool, owner, baseUrl);
const created = (id: number, secret: string | null = TEST_SECRET) =>
  jsonAnswer(
    201,
    { id, event: SPECIFIED_EVENTS[id], endpoint_url: baseUrl, is_active: true, created_at: "" },
    secret === null ? {} : { "x-webhook-secret": secret },
  );
const answers = (secret?: string | null) =>
  SPECIFIED_EVENTS.flatMap((_event, at) => [jsonAnswer(200, emptyPage), created(at, secret)]);
const asked = () => fakeService.seen.length;

test("the receiver is registered once for a working API key", async () => {
  fakeService.answers = answers();
  await ask();
  const { registered_at, secrets } = await stateOf();
  expect(registered_at).not.toBeNull();
  expect(secrets).toHaveLength(SPECIFIED_EVENTS.length);
  const before = asked();
  await ask();
  expect(asked()).toBe(before);
});

test("the receiver is registered again for a new API key, but not for a refused one", async () => {
  fakeService.answers = answers();
  await ask();
  await storeApiKey(owner, "sk_test_second");
  fakeService.answers = answers();
  const before = asked();
  await ask();
  expect(asked()).toBeGreaterThan(before);
  await storeApiKey(owner, "sk_test_third");
  await pool.query("update billing_connection set state = 'refused' where seller_id = $1", [
    owner.seller_id,
  ]);
  const after = asked();
  await ask();
  expect(asked()).toBe(after);
});

test("after a crashed registration, the receiver is registered once the lease has ended", async () => {
  const begun = Promise.withResolvers<void>();
  const billing = new Proxy(clientOf(), {
    get: () => () => {
      begun.resolve();
      return new Promise(() => {});
    },
  });
  void registerOncePerKey(pool, owner, { billing, keys: TEST_KEYS, baseUrl });
  await begun.promise;
  fakeService.answers = answers();
  await ask();
  expect(asked()).toBe(0);
  await pool.query("update receiver set busy_until = now() where seller_id = $1", [
    owner.seller_id,
  ]);
  await ask();
  expect((await stateOf()).registered_at).not.toBeNull();
});

test("the registration of the receiver is retried after a temporary failure, but not after a refusal", async () => {
  fakeService.answers = [
    jsonAnswer(200, emptyPage),
    jsonAnswer(405, { detail: "Not offered." }),
  ];
  await ask();
  const before = asked();
  await ask();
  expect(asked()).toBe(before);
  await expect(stateOf()).resolves.toMatchObject({ registered_at: null });
  owner = await createIndexOwner();
  fakeService.answers = [jsonAnswer(429, { detail: "Later." })];
  await ask();
  fakeService.answers = answers();
  await ask();
  expect((await stateOf()).registered_at).not.toBeNull();
});

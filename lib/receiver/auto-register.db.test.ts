import { beforeEach, expect, test } from "vitest";
import { EVENT_KINDS } from "#contract/names.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import {
  clientOf,
  emptyPage,
  json,
  service,
  useBillingServer,
} from "#tools/testing/servers/billing-server.ts";
import { newOwner, setKey, TEST_KEYS } from "#tools/testing/fixtures/search-index-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { SECRET } from "#tools/testing/fixtures/receiver-fixture.ts";
import { readReceiver } from "./store.ts";
import { registerOncePerKey } from "./auto-register.ts";

useDashboardDatabase();
useBillingServer();
const baseUrl = "http://localhost:3000";
let owner: KeyOwner;

beforeEach(async () => {
  owner = await newOwner();
});

const ask = () =>
  registerOncePerKey(pool, owner, { billing: clientOf(), keys: TEST_KEYS, baseUrl });
const stateOf = () => readReceiver(pool, owner, baseUrl);
const created = (id: number, secret: string | null = SECRET) =>
  json(
    201,
    { id, event: EVENT_KINDS[id], endpoint_url: baseUrl, is_active: true, created_at: "" },
    secret === null ? {} : { "x-webhook-secret": secret },
  );
const answers = (secret?: string | null) =>
  EVENT_KINDS.flatMap((_event, at) => [json(200, emptyPage), created(at, secret)]);
const asked = () => service.seen.length;

test("registers the receiver once for a working key", async () => {
  service.answers = answers();
  await ask();
  const { registered_at, secrets } = await stateOf();
  expect(registered_at).not.toBeNull();
  expect(secrets).toHaveLength(EVENT_KINDS.length);
  const before = asked();
  await ask();
  expect(asked()).toBe(before);
});

test("registers again for a new key, but not for a refused key", async () => {
  service.answers = answers();
  await ask();
  await setKey(owner, "sk_test_second");
  service.answers = answers();
  const before = asked();
  await ask();
  expect(asked()).toBeGreaterThan(before);
  await setKey(owner, "sk_test_third");
  await pool.query("update billing_connection set state = 'refused' where seller_id = $1", [
    owner.seller_id,
  ]);
  const after = asked();
  await ask();
  expect(asked()).toBe(after);
});

test("registers at the next turn after the lease of a crashed registration ends", async () => {
  const begun = Promise.withResolvers<void>();
  const billing = new Proxy(clientOf(), {
    get: () => () => {
      begun.resolve();
      return new Promise(() => {});
    },
  });
  void registerOncePerKey(pool, owner, { billing, keys: TEST_KEYS, baseUrl });
  await begun.promise;
  service.answers = answers();
  await ask();
  expect(asked()).toBe(0);
  await pool.query("update receiver set busy_until = now() where seller_id = $1", [
    owner.seller_id,
  ]);
  await ask();
  expect((await stateOf()).registered_at).not.toBeNull();
});

test("retries after a temporary failure, but not after a refusal", async () => {
  service.answers = [json(200, emptyPage), json(405, { detail: "Not offered." })];
  await ask();
  const before = asked();
  await ask();
  expect(asked()).toBe(before);
  await expect(stateOf()).resolves.toMatchObject({ registered_at: null });
  owner = await newOwner();
  service.answers = [json(429, { detail: "Later." })];
  await ask();
  service.answers = answers();
  await ask();
  expect((await stateOf()).registered_at).not.toBeNull();
});

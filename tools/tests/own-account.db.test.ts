import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { BillingClient } from "#lib/billing/client.ts";
import {
  connectOwnAccount,
  connectVerifiedAccount,
  forgetOtherAccount,
  isAccountOpened,
  issueOwnKey,
  openAccountClient,
  renewOwnKey,
} from "#lib/billing/account.ts";
import {
  findConnection,
  openConnection,
  removeApiKey,
  saveApiKey,
} from "#lib/billing/connection.ts";
import type { EncryptionKeys, KeyOwner } from "#lib/crypto/api-key.ts";
import { readGrace } from "#lib/collection/settings-store.ts";
import { encryptionKeysOf, env } from "#lib/env.ts";
import { failureOf } from "#lib/failure.ts";
import { requireApiKey } from "#lib/keys/data.ts";
import { changeAccountSettings } from "#lib/sellers/account-settings.ts";
import { ACCOUNT_EXAMPLES } from "../../service/openapi/account-examples.ts";
import {
  startTestService,
  TEST_ACCOUNTS_TOKEN,
  type TestService,
} from "../../service/testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../testing/database.ts";
import { database, pool, useDashboardDatabase } from "../testing/dashboard-database.ts";
import { createPerson, stubEnvironment } from "../testing/person.ts";

/** Tests the seller's own account and key with the billing service itself. */
useDashboardDatabase();
let keys: EncryptionKeys;
let serviceDatabase: TestDatabase;
let service: TestService;
let baseUrl: string;
let liveDatabase: TestDatabase;
let live: TestService;
let liveUrl: string;
let owner: KeyOwner;
let user_id: string;

beforeAll(async () => {
  serviceDatabase = await createTestDatabase("service");
  service = await startTestService(serviceDatabase.url);
  service.clock.set(new Date().toISOString());
  baseUrl = await service.app.listen({ host: "127.0.0.1", port: 0 });
  liveDatabase = await createTestDatabase("service");
  live = await startTestService(liveDatabase.url, "live");
  live.clock.set(new Date().toISOString());
  liveUrl = await live.app.listen({ host: "127.0.0.1", port: 0 });
  stubEnvironment({
    DATABASE_URL: database.url,
    BILLING_SANDBOX_API_URL: baseUrl,
    BILLING_SANDBOX_ACCOUNTS_TOKEN: TEST_ACCOUNTS_TOKEN,
    BILLING_API_URL: liveUrl,
    BILLING_ACCOUNTS_TOKEN: TEST_ACCOUNTS_TOKEN,
  });
  keys = encryptionKeysOf(env());
  ({ id: user_id } = await createPerson(pool));
});
afterAll(async () => {
  await Promise.all([service.close(), live.close()]);
  await Promise.all([serviceDatabase.drop(), liveDatabase.drop()]);
});
beforeEach(async () => {
  const { rows } = await pool.query<{ id: string }>(
    "insert into seller (name, time_zone) values ('Phewa', 'Asia/Kathmandu') returning id",
  );
  owner = { seller_id: rows[0]?.id ?? "", mode: "test" };
});

const BUSINESS = {
  name: "Phewa",
  time_zone: "Asia/Kathmandu",
  currency: "NPR",
  api_usage_type: "payment",
  return_url: null,
} as const;

const connect = () => connectOwnAccount(pool, owner, { ...BUSINESS, user_id }, keys);
const apiKeyOf = async () => (await openConnection(pool, owner, keys)).apiKey;

async function listKeys() {
  const opened = await openAccountClient(pool, owner, keys);
  const { results } = (await opened?.account.listKeys({ page: 1, page_size: 100 })) ?? {};
  const own = (results ?? []).filter(({ kind }) => kind === "api_key");
  return { own: own.filter(({ state }) => state === "active"), used: opened?.api_key_id };
}

/** Whether the API accepts the key. */
const works = (apiKey: string, url = baseUrl) =>
  new BillingClient({ baseUrl: url, connect: async () => ({ apiKey }) })
    .listProducts({ page: 1, page_size: 1 })
    .then(
      () => true,
      () => false,
    );

/** Lets the dashboard's key end in 20 days. */
const endSoon = () =>
  pool.query(
    `update billing_account set api_key_expires_at = now() + interval '20 days'
      where seller_id = $1 and api_key_expires_at is not null`,
    [owner.seller_id],
  );

const storedEnd = async () => {
  const { rows } = await pool.query<{ days: number }>(
    `select round(extract(epoch from api_key_expires_at - now()) / 86400)::int as days
       from billing_account where seller_id = $1`,
    [owner.seller_id],
  );
  return rows[0]?.days;
};

test("an opened account is connected with a key of 90 days, and opening it again makes a second key for it", async () => {
  expect(await connect()).toBe(true);
  expect(await findConnection(pool, owner, keys)).toMatchObject({ state: "good" });
  expect(await works(await apiKeyOf())).toBe(true);
  expect(await storedEnd()).toBe(90);
  await connect();
  const { own, used } = await listKeys();
  expect(own.map(({ name }) => name)).toEqual(["Duebook", "Duebook"]);
  expect(own[0]?.id).toBe(used);
  const { rowCount } = await service.pool.query("select 1 from seller where reference = $1", [
    owner.seller_id,
  ]);
  expect(rowCount).toBe(1);
});

test("the dashboard's API key is replaced once, a month before it expires, and the search index is kept", async () => {
  await connect();
  const [before, version] = [await apiKeyOf(), await indexVersion()];
  await renewOwnKey(pool, owner, keys);
  expect(await apiKeyOf()).toBe(before);
  await endSoon();
  await Promise.all([renewOwnKey(pool, owner, keys), renewOwnKey(pool, owner, keys)]);
  const after = await apiKeyOf();
  expect(after).not.toBe(before);
  expect([await works(before), await works(after)]).toEqual([true, true]);
  const { own } = await listKeys();
  expect(own).toHaveLength(2);
  const old = Date.parse(own[1]?.expires_at ?? "") - Date.now();
  expect(Math.round(old / 3_600_000)).toBe(24);
  expect(await storedEnd()).toBe(90);
  expect(await indexVersion()).toBe(version);
});

async function indexVersion() {
  const { rows } = await pool.query<{ copy: string }>(
    "select copy from mirror where seller_id = $1",
    [owner.seller_id],
  );
  return rows[0]?.copy;
}

test("after a crash before a new API key was stored, the next run stores a working key and revokes the lost one", async () => {
  await connect();
  const { account, api_key_id } = (await openAccountClient(pool, owner, keys)) ?? {};
  const lost = await account?.rollKey(api_key_id ?? 0, 24);
  await pool.query(
    "update billing_account set renewing_until = now() + interval '1 minute' where seller_id = $1",
    [owner.seller_id],
  );
  await endSoon();
  const before = await apiKeyOf();
  await renewOwnKey(pool, owner, keys);
  // The process that crashed holds the lease, and the stored key still works.
  expect([await apiKeyOf(), await works(before)]).toEqual([before, true]);
  await pool.query("update billing_account set renewing_until = now() where seller_id = $1", [
    owner.seller_id,
  ]);
  await renewOwnKey(pool, owner, keys);
  expect(await works(await apiKeyOf())).toBe(true);
  expect(await works(lost?.issued ?? "")).toBe(false);
  expect((await listKeys()).own).toHaveLength(2);
});

test("an expired API key that the dashboard made is replaced, and a pasted key is not", async () => {
  await connect();
  await service.pool.query(
    `update api_key set expires_at = $2 where kind = 'api_key' and seller_id =
       (select seller_id from seller where reference = $1)`,
    [owner.seller_id, service.clock.now()],
  );
  await endSoon();
  expect(await works(await apiKeyOf())).toBe(false);
  await renewOwnKey(pool, owner, keys);
  expect(await works(await apiKeyOf())).toBe(true);
  await saveApiKey(
    pool,
    owner,
    { apiKey: "dbk_test_pasted", state: "good", user_id: null },
    keys,
  );
  await endSoon();
  await renewOwnKey(pool, owner, keys);
  expect(await apiKeyOf()).toBe("dbk_test_pasted");
});

test("replacing the dashboard's API key without an overlap ends the earlier key at once", async () => {
  await connect();
  const leaked = await apiKeyOf();
  await issueOwnKey(pool, owner, { user_id, overlap_hours: 0 }, keys);
  expect([await works(leaked), await works(await apiKeyOf())]).toEqual([false, true]);
});

test("the id of an account token is not found as the id of an API key", async () => {
  await connect();
  const { account } = (await openAccountClient(pool, owner, keys)) ?? {};
  if (!account) throw new Error("no account was opened");
  const { results } = await account.listKeys({ page: 1, page_size: 100 });
  const token = results.find(({ kind }) => kind === "account_token");
  const own = results.find(({ kind }) => kind === "api_key");
  expect(await requireApiKey(account, own?.id ?? 0)).toMatchObject({ name: "Duebook" });
  const failure = await requireApiKey(account, token?.id ?? 0).then(() => null, failureOf);
  expect(failure?.kind).toBe("not_found");
});

test("if two people change one account's settings, the later person sees a conflict and changes nothing", async () => {
  await connect();
  const { account } = (await openAccountClient(pool, owner, keys)) ?? {};
  const { version } = (await account?.readProfile()) ?? {};
  const grace = async () => (await readGrace(pool, owner, "UTC")).set;
  expect(await grace()).toBe(7);
  const change = (grace_days: number, from = version ?? "") =>
    changeAccountSettings(owner, { version: from, name: "Phewa Milk", grace_days });
  const first = await change(10);
  expect(first).toMatchObject({ missed: null });
  const failure = await change(20).then(() => null, failureOf);
  expect(failure).toMatchObject({
    kind: "conflict",
    detail: expect.stringContaining("sellers.account.changed") as string,
  });
  expect(await account?.readProfile()).toMatchObject({ name: "Phewa Milk", grace_days: 10 });
  expect(await grace()).toBe(10);
  await change(20, first.version);
  expect(await grace()).toBe(20);
});

test("a logo is copied to the other mode's service once the account there is verified", async () => {
  await connect();
  await connectOwnAccount(pool, { ...owner, mode: "live" }, { ...BUSINESS, user_id }, keys);
  const accountOf = async (mode: "test" | "live") => {
    const opened = await openAccountClient(pool, { ...owner, mode }, keys);
    if (!opened) throw new Error("no account was opened");
    return opened.account;
  };
  const [sandbox, real] = [await accountOf("test"), await accountOf("live")];
  const { url } = await sandbox.uploadImage(ACCOUNT_EXAMPLES.UploadImage.content);
  const change = { checkout_logo: url, pay_otherwise: "In cash" };
  const { version } = await sandbox.readProfile();
  const first = await changeAccountSettings(owner, { version, ...change });
  expect(first).toMatchObject({ missed: null, logo_missed: "live" });
  expect(await real.readProfile()).toMatchObject({
    checkout_logo: null,
    pay_otherwise: "In cash",
  });
  await live.pool.query("update seller set kyc_verified = true where reference = $1", [
    owner.seller_id,
  ]);
  const second = await changeAccountSettings(owner, { version: first.version, ...change });
  expect(second).toMatchObject({ missed: null, logo_missed: null });
  const { checkout_logo } = await real.readProfile();
  expect(await real.readImage(checkout_logo ?? "")).toEqual(await sandbox.readImage(url));
  await changeAccountSettings(owner, { version: second.version, checkout_logo: null });
  expect(await real.readProfile()).toMatchObject({ checkout_logo: null });
});

test("a live account waits for its verification, and is connected at the first visit afterwards", async () => {
  owner = { ...owner, mode: "live" };
  expect(await connect()).toBe(false);
  const visit = () => connectVerifiedAccount(pool, owner, user_id, keys);
  expect(await visit()).toBe(false);
  expect(await findConnection(pool, owner, keys)).toBeNull();
  await live.pool.query("update seller set kyc_verified = true where reference = $1", [
    owner.seller_id,
  ]);
  expect(await visit()).toBe(true);
  expect(await findConnection(pool, owner, keys)).toMatchObject({ state: "good" });
  expect(await works(await apiKeyOf(), liveUrl)).toBe(true);
});

test("a disconnected account stays disconnected until it is opened again, which ends its earlier API key", async () => {
  await connect();
  const before = await apiKeyOf();
  await removeApiKey(pool, owner);
  expect(await connectVerifiedAccount(pool, owner, user_id, keys)).toBe(false);
  expect(await findConnection(pool, owner, keys)).toBeNull();
  await connect();
  expect([await works(before), await works(await apiKeyOf())]).toEqual([false, true]);
});

test("pasting another account's API key deletes the stored account token, and pasting a key of the same account keeps it", async () => {
  await connect();
  const { account } = (await openAccountClient(pool, owner, keys)) ?? {};
  const made = await account?.createKey({ name: "Own", scopes: ["read"], expires_at: null });
  await forgetOtherAccount(pool, owner, made?.issued ?? "", keys);
  expect(await isAccountOpened(pool, owner)).toBe(true);
  await forgetOtherAccount(pool, owner, (await service.createSeller()).key, keys);
  expect(await isAccountOpened(pool, owner)).toBe(false);
});

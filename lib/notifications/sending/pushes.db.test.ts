import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database as ownPool } from "#lib/db/pool.ts";
import { dayInZone } from "#lib/format/format.ts";
import {
  createActor,
  daysFromNow,
  dueSubscription,
  storeContact,
} from "#tools/testing/fixtures/collection-fixture.ts";
import {
  createNoonSeller,
  createToldMember,
  noonZone,
} from "#tools/testing/fixtures/notice-fixture.ts";
import { database, pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { stubEnvironment } from "#tools/testing/person.ts";
import { readVapid, startPushService } from "#tools/testing/servers/push-service.ts";
import type { NoticeChoices } from "../rules.ts";
import { addPushBrowser, listPushBrowsers } from "./browsers.ts";
import { queueBrokenPromises, queueEndpoints, queueFailing } from "./events.ts";
import { isPushEndpoint, pushKey } from "./push.ts";
import { sendNotices } from "./send-notices.ts";

useDashboardDatabase();
const RECORD = dueSubscription(3, "Kabita Rai");
let service: Awaited<ReturnType<typeof startPushService>>;
let owner: KeyOwner;
let code: string;

beforeAll(async () => {
  service = await startPushService();
  stubEnvironment({
    DATABASE_URL: database.url,
    BILLING_SANDBOX_API_URL: "http://127.0.0.1:9",
    WEB_PUSH_KEY: randomBytes(32).toString("base64"),
  });
});
afterAll(async () => {
  await ownPool().end();
  vi.unstubAllEnvs();
  await service.close();
});

beforeEach(async () => {
  service.received.length = 0;
  service.answers.status = 201;
  owner = await createNoonSeller([RECORD]);
  const { rows } = await pool.query<{ code: string }>("select code from seller where id = $1", [
    owner.seller_id,
  ]);
  code = rows[0]?.code ?? "";
});

async function newReader(choices: Partial<NoticeChoices>, role: "viewer" | "admin" = "viewer") {
  const person = await createToldMember(owner, role, choices);
  await addPushBrowser(pool, person.id, { ...service.subscribe(), user_agent: "test" });
  return person;
}

const messages = () => service.received.map(({ message }) => message);
const pay = (id = RECORD.subscription_id) =>
  pool.query(
    `insert into proof (seller_id, mode, subscription_id, at, known_by)
     values ($1, $2, $3, now(), 'unknown')`,
    [owner.seller_id, owner.mode, id],
  );

test("a push about a payment is encrypted, signed with the VAPID key and contains no buyer name", async () => {
  await newReader({ push: ["payment"] });
  await pay();
  await sendNotices(pool, owner);
  await sendNotices(pool, owner);
  const url = `/${code}/test/subscriptions/${RECORD.subscription_id}`;
  expect(messages()).toEqual([
    {
      title: "Test mode: Payment received – Phewa",
      body: "A buyer paid.",
      url,
      tag: `payment ${RECORD.subscription_id}`,
    },
  ]);
  const { authorization } = service.received[0]?.headers ?? {};
  const { key, claims } = readVapid(authorization);
  expect(key).toBe(pushKey()?.publicKey);
  expect(claims.aud).toBe(service.origin);
  expect(claims.exp * 1_000 - Date.now()).toBeLessThan(24 * 3_600_000);
});

test("a push contains the buyer's name only if the member switched names on", async () => {
  await newReader({ push: ["payment"], shows_names: true });
  await pay();
  await sendNotices(pool, owner);
  expect(messages()).toMatchObject([{ body: "Kabita Rai paid." }]);
});

test("many payments are announced in one push, which does not count old payments", async () => {
  await newReader({ push: ["payment"] });
  for (let count = 0; count < 5; count += 1) await pay();
  await pool.query(
    `insert into proof (seller_id, mode, subscription_id, at, said_at, period_start, known_by)
     values ($1, $2, $3, now(), now() - interval '40 days', now(), 'unknown')`,
    [owner.seller_id, owner.mode, RECORD.subscription_id],
  );
  await sendNotices(pool, owner);
  expect(messages()).toMatchObject([
    { body: "5 payments arrived.", url: `/${code}/test/notifications` },
  ]);
});

test("a broken promise is pushed once, on the day after the promised day", async () => {
  await newReader({ push: ["promise_broken"] });
  const worker = await createActor(owner);
  const promised_for = dayInZone(daysFromNow(-1), noonZone());
  await storeContact(worker, RECORD, { kind: "promise", detail: { promised_for } });
  const today = dayInZone(new Date().toISOString(), noonZone());
  for (let count = 0; count < 2; count += 1) {
    await queueBrokenPromises(pool, owner, today);
    await sendNotices(pool, owner);
  }
  expect(messages()).toMatchObject([
    {
      title: "Test mode: Promise missed – Phewa",
      url: `/${code}/test/subscriptions/${RECORD.subscription_id}`,
    },
  ]);
});

test("a switched-off webhook endpoint is pushed once, with its host, to members who may see endpoints", async () => {
  await newReader({ push: ["endpoint_off"] }, "admin");
  const former = await newReader({ push: ["endpoint_off"] }, "admin");
  await pool.query("update membership set role = 'viewer' where user_id = $1", [former.id]);
  const off = {
    id: 7,
    endpoint_url: "https://shop.example/hooks?key=secret",
    created_at: new Date().toISOString(),
  };
  const older = { ...off, id: 6, created_at: daysFromNow(-3) };
  for (let count = 0; count < 2; count += 1) {
    await queueEndpoints(pool, owner, [off, older]);
    await sendNotices(pool, owner);
  }
  expect(messages()).toMatchObject([
    { body: expect.stringContaining("shop.example"), url: `/${code}/test/settings/webhooks` },
  ]);
  expect(JSON.stringify(messages())).not.toContain("secret");
});

test("a failing channel is pushed once, and again only after the channel has worked", async () => {
  await newReader({ push: ["channel_failed"] }, "admin");
  await sendNotices(pool, owner);
  for (const failing of [["sms"], ["sms"], null, ["sms", "email"], [], ["sms"]]) {
    await queueFailing(pool, owner, "channel_failed", failing);
    await queueFailing(pool, owner, "provider_failed", []);
    await sendNotices(pool, owner);
  }
  const channels = messages().map((one) => /the channel (\w+)/.exec(JSON.stringify(one))?.[1]);
  expect(channels).toEqual(["SMS", "email", "SMS"]);
});

test("a payment provider that refuses its settings is pushed once, with its name", async () => {
  await newReader({ push: ["provider_failed"] }, "admin");
  await sendNotices(pool, owner);
  for (const failing of [["eSewa"], ["eSewa"]]) {
    await queueFailing(pool, owner, "provider_failed", failing);
    await sendNotices(pool, owner);
  }
  expect(messages()).toMatchObject([
    { body: expect.stringContaining("eSewa"), url: `/${code}/test/settings/payments` },
  ]);
});

test("a push of the morning list with one entry opens the list of that entry", async () => {
  await newReader({ push: ["morning"] });
  await sendNotices(pool, owner);
  expect(messages()).toMatchObject([
    { body: "Due: 1", url: `/${code}/test/collection?group=due`, tag: "morning" },
  ]);
});

test.each([404, 410])("a browser is deleted if the push service answers %d", async (status) => {
  const asha = await newReader({ push: ["payment"] });
  service.answers.status = status;
  await pay();
  await sendNotices(pool, owner);
  await expect(listPushBrowsers(pool, asha.id)).resolves.toEqual([]);
});

test("a push is retried later if the push service answers 429", async () => {
  const asha = await newReader({ push: ["payment"] });
  service.answers.status = 429;
  await pay();
  await sendNotices(pool, owner);
  await expect(listPushBrowsers(pool, asha.id)).resolves.toHaveLength(1);
  service.answers.status = 201;
  await sendNotices(pool, owner);
  expect(messages()).toEqual([]);
  await pool.query("update notice set due_at = now()");
  await sendNotices(pool, owner);
  expect(messages()).toHaveLength(1);
});

test("a new password deletes the person's push browsers", async () => {
  const asha = await newReader({});
  await pool.query("update app_user set name = 'Asha R.' where id = $1", [asha.id]);
  await expect(listPushBrowsers(pool, asha.id)).resolves.toHaveLength(1);
  await pool.query("update app_user set password_hash = 'new' where id = $1", [asha.id]);
  await expect(listPushBrowsers(pool, asha.id)).resolves.toEqual([]);
});

test("a person has at most ten push browsers, and a browser belongs to the person who added it last", async () => {
  const [asha, maya] = [await newReader({}), await newReader({})];
  const add = (user_id: string, target = service.subscribe()) =>
    addPushBrowser(pool, user_id, { ...target, user_agent: null });
  for (let count = 1; count < 10; count += 1) await expect(add(asha.id)).resolves.toBeNull();
  await expect(add(asha.id)).resolves.toBe("too_many");
  const shared = service.subscribe();
  await expect(add(maya.id, shared)).resolves.toBeNull();
  const sita = await newReader({});
  const forged = { ...service.subscribe(), endpoint: shared.endpoint };
  await expect(add(sita.id, forged)).resolves.toBe("taken");
  await expect(listPushBrowsers(pool, maya.id)).resolves.toHaveLength(2);
  await expect(add(sita.id, shared)).resolves.toBeNull();
  await expect(listPushBrowsers(pool, maya.id)).resolves.toHaveLength(1);
});

test("a browser with new keys at its old address can be added again by the same person, and gets pushes", async () => {
  const asha = await newReader({ push: ["payment"] });
  const [before] = await listPushBrowsers(pool, asha.id);
  const renewed = { ...service.subscribe(before?.endpoint), user_agent: null };
  await expect(addPushBrowser(pool, asha.id, renewed)).resolves.toBeNull();
  await pay();
  await sendNotices(pool, owner);
  expect(messages()).toHaveLength(1);
});

test("pushes go to public HTTPS addresses, and to local addresses only if no other machine can reach the server", () => {
  const isTaken = (...urls: string[]) => urls.map((url) => isPushEndpoint(url));
  expect(isTaken(service.origin, "https://push.example/a", "http://169.254.169.254/")).toEqual([
    true,
    true,
    false,
  ]);
  const isTakenByMany = (url: string) => isPushEndpoint(url, false);
  expect(isTakenByMany("https://push.example/a")).toBe(true);
  for (const url of [
    "http://push.example/a",
    "https://push.example:22/a",
    "https://user:password@push.example/a",
    "https://localhost/a",
    "https://10.0.0.1/a",
    "https://[::ffff:10.0.0.1]/a",
    "https://db.internal/a",
    "file:///etc/passwd",
  ])
    expect(isTakenByMany(url)).toBe(false);
});

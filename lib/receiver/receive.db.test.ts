import { randomBytes } from "node:crypto";
import pg from "pg";
import { beforeEach, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { removeApiKey } from "#lib/billing/connection.ts";
import { inTransaction } from "#lib/db/pool.ts";
import { ChangingService } from "#tools/testing/servers/changing-service.ts";
import {
  indexedRecords,
  createIndexOwner,
  storeApiKey,
  readSyncStatus,
  runSlice,
} from "#tools/testing/fixtures/search-index-fixture.ts";
import { makeSubscription, storeRecords } from "#tools/testing/fixtures/records-fixture.ts";
import { database, pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { untilBlocked } from "#tools/testing/database.ts";
import {
  deliverTo,
  storeReceiverSecret,
  storedDeliveriesOf,
  unsignedRequest,
  TEST_SECRET,
  signedRequest,
  checkoutSucceededBody,
  readReceiverToken,
  readVerdicts,
} from "#tools/testing/fixtures/receiver-fixture.ts";
import { MAX_UNVERIFIED } from "./receive.ts";

useDashboardDatabase();
let owner: KeyOwner;
let token: string;

beforeEach(async () => {
  owner = await createIndexOwner();
  token = await readReceiverToken(owner);
  await storeReceiverSecret(owner);
});

const send = (request: Request, to = token) => deliverTo(to, request);
const verdicts = () => readVerdicts(owner);
const pendingRefreshes = async () => (await readSyncStatus(owner))?.hints;

test("the receiver stores a correctly signed delivery and queues its subscription for a refresh", async () => {
  await expect(send(await signedRequest())).resolves.toEqual({ status: 204, reason: null });
  const [kept] = await storedDeliveriesOf(owner);
  expect(kept).toMatchObject({
    delivery_id: "msg-1",
    verdict: "verified",
    reason: null,
    body: JSON.stringify(checkoutSucceededBody()),
    ...checkoutSucceededBody(),
  });
  expect(Object.keys(kept?.headers ?? {}).toSorted()).toEqual([
    "content-type",
    "webhook-id",
    "webhook-signature",
    "webhook-timestamp",
  ]);
  await expect(pendingRefreshes()).resolves.toBe(1);
});

test("a second copy of a delivery is stored as repeated, even if both copies arrive at once", async () => {
  const twice = await Promise.all(
    Array.from({ length: 8 }, async () => send(await signedRequest({ id: "msg-2" }))),
  );
  expect(twice.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 204));
  const all = await verdicts();
  expect(all.filter((one) => one === "verified")).toHaveLength(1);
  expect(all.filter((one) => one === "repeated: seen_before")).toHaveLength(7);
});

test("a payment's delivery and a sync of its subscription wait for the same lock and both succeed", async () => {
  await send(await signedRequest({ id: "before the subscription is known" }));
  const works = await inTransaction(pool, async (client) => {
    await client.query("select lock_ledger($1, $2)", [owner.seller_id, owner.mode]);
    const delivered = send(await signedRequest({ id: "the next period" }));
    await untilBlocked(pool);
    const record = makeSubscription({ subscription_id: "sub-1" });
    const stored = storeRecords(pool, owner, { subscriptions: [record] });
    await untilBlocked(pool, 2);
    return [delivered, stored] as const;
  });
  await expect(works[0]).resolves.toMatchObject({ status: 204 });
  await expect(works[1]).resolves.toBeUndefined();
});

test("a forged delivery is rejected and stored with a reason, and only refreshes its subscription", async () => {
  const forged = await signedRequest({ secret: `whsec_${randomBytes(32).toString("base64")}` });
  await expect(send(forged)).resolves.toEqual({ status: 401, reason: "wrong_signature" });
  await expect(
    send(unsignedRequest(JSON.stringify(checkoutSucceededBody()))),
  ).resolves.toMatchObject({
    status: 401,
    reason: "no_signature",
  });
  const touched = await signedRequest({ id: "msg-3" });
  const changed = unsignedRequest(
    JSON.stringify(checkoutSucceededBody("sub-2")),
    Object.fromEntries(touched.headers),
  );
  await expect(send(changed)).resolves.toMatchObject({ status: 401 });
  await expect(verdicts()).resolves.toEqual([
    "forged: wrong_signature",
    "forged: no_signature",
    "forged: wrong_signature",
  ]);
  expect((await storedDeliveriesOf(owner)).map(({ delivery_id }) => delivery_id)).toEqual([
    null,
    null,
    null,
  ]);
  await expect(pendingRefreshes()).resolves.toBe(2);
});

test("a late delivery is rejected, a new attempt of the delivery is accepted, and a replay is rejected", async () => {
  const old = () => signedRequest({ id: "msg-4", age: 600 });
  await expect(send(await old())).resolves.toEqual({ status: 401, reason: "too_old" });
  await expect(send(await signedRequest({ id: "msg-4" }))).resolves.toMatchObject({
    status: 204,
  });
  await expect(send(await old())).resolves.toEqual({ status: 401, reason: "replayed" });
  await expect(send(await signedRequest({ id: "msg-5", age: -600 }))).resolves.toMatchObject({
    reason: "from_the_future",
  });
  await expect(verdicts()).resolves.toEqual([
    "late: too_old",
    "verified",
    "late: replayed",
    "late: from_the_future",
  ]);
});

test("the search index matches the service even if an older delivery arrives after a newer one", async () => {
  const api = new ChangingService();
  api.fill(1);
  await runSlice(owner, api);
  api.change(0, { status: "cancelled", is_active: false });
  const newer = {
    event: "subscription.status_changed",
    subscription_id: "sub-1",
    new_status: "cancelled",
  };
  await send(await signedRequest({ id: "newer", body: newer }));
  await send(await signedRequest({ id: "older", body: checkoutSucceededBody() }));
  await runSlice(owner, api);
  await expect(indexedRecords(owner, "subscriptions")).resolves.toMatchObject([
    { status: "cancelled" },
  ]);
  await expect(verdicts()).resolves.toEqual(["verified", "verified"]);
});

test("without a secret, deliveries are stored as unverified, and their subscriptions are refreshed", async () => {
  await pool.query("delete from receiver_secret");
  await expect(send(await signedRequest())).resolves.toEqual({
    status: 204,
    reason: "no_secret",
  });
  await expect(
    send(unsignedRequest(JSON.stringify({ data: { subscription_id: "sub-2" } }))),
  ).resolves.toMatchObject({ status: 204 });
  await expect(verdicts()).resolves.toEqual(["unverified: no_secret", "unverified: no_secret"]);
  await expect(pendingRefreshes()).resolves.toBe(2);
});

test("the receiver does not use secrets of an unknown encryption key or of other sellers", async () => {
  const stranger = await createIndexOwner();
  await pool.query(
    `insert into receiver_secret (seller_id, mode, sealed_secret, key_id)
     select $2, mode, sealed_secret, key_id from receiver_secret where seller_id = $1`,
    [owner.seller_id, stranger.seller_id],
  );
  // The secret may be readable again later, so the sender is asked to retry.
  await expect(send(await signedRequest(), await readReceiverToken(stranger))).resolves.toEqual(
    {
      status: 503,
      reason: "no_secret",
    },
  );
  const others = [randomBytes(32)] as const;
  await expect(deliverTo(token, await signedRequest(), others)).resolves.toEqual({
    status: 503,
    reason: "no_secret",
  });
  await expect(verdicts()).resolves.toEqual(["unverified: no_secret"]);
});

test("an example delivery is verified but has no effect", async () => {
  await send(await signedRequest({ body: { ...checkoutSucceededBody(), reason: "example" } }));
  await expect(verdicts()).resolves.toEqual(["verified: example"]);
  await expect(pendingRefreshes()).resolves.toBe(0);
});

test("if a part of a delivery cannot be stored, the receiver stores nothing and fails the request", async () => {
  await pool.query("alter table mirror_hint add constraint broken check (id <> 'broken')");
  const broken = () =>
    signedRequest({ body: { ...checkoutSucceededBody(), subscription_id: "broken" } });
  await expect(broken().then((request) => send(request))).rejects.toThrow("broken");
  await pool.query("alter table mirror_hint drop constraint broken");
  expect(await verdicts()).toEqual([]);
  await send(await broken());
  await expect(verdicts()).resolves.toEqual(["verified"]);
  await expect(pendingRefreshes()).resolves.toBe(1);
});

test("during a rotation, the receiver accepts the old secret and the new one until the old one ends", async () => {
  const next = `whsec_${randomBytes(32).toString("base64")}`;
  await pool.query("delete from receiver_secret");
  await storeReceiverSecret(owner, TEST_SECRET, 7);
  await storeReceiverSecret(owner, next, 7);
  await send(await signedRequest({ id: "by the old one" }));
  await send(await signedRequest({ id: "by the new one", secret: next }));
  await expect(verdicts()).resolves.toEqual(["verified", "verified"]);
  await pool.query("update receiver_secret set ends_at = now() where ends_at is not null");
  await send(await signedRequest({ id: "by the old one later" }));
  await expect(verdicts()).resolves.toHaveLength(3);
  expect((await verdicts()).at(-1)).toBe("forged: wrong_signature");
});

test("the receiver rejects an unknown token and the token of a removed key", async () => {
  await expect(send(await signedRequest(), "0".repeat(64))).resolves.toMatchObject({
    status: 404,
  });
  await expect(send(await signedRequest(), "'")).resolves.toMatchObject({ status: 404 });
  await send(await signedRequest());
  await removeApiKey(pool, owner);
  await expect(send(await signedRequest({ id: "late" }))).resolves.toMatchObject({
    status: 404,
  });
  // The verified delivery is still stored after the key was removed.
  await expect(verdicts()).resolves.toEqual(["verified"]);
  await storeApiKey(owner, "sk_test_again");
  await expect(readReceiverToken(owner)).resolves.not.toBe(token);
});

test("the receiver limits the number of unverified deliveries, but never refuses verified deliveries", async () => {
  await pool.query(
    `insert into received_delivery (seller_id, mode, verdict)
     select $1, $2, 'forged' from generate_series(1, ${MAX_UNVERIFIED})`,
    [owner.seller_id, owner.mode],
  );
  await expect(send(unsignedRequest("{}"))).resolves.toEqual({
    status: 429,
    reason: "too_many",
  });
  await expect(send(await signedRequest())).resolves.toMatchObject({ status: 204 });
  await expect(send(await signedRequest())).resolves.toMatchObject({ status: 429 });
  expect(await verdicts()).toHaveLength(MAX_UNVERIFIED + 1);
});

test("payments are kept, other events are deleted after a month, and unverified deliveries are limited", async () => {
  const make = (verdict: string, event: string, days: number, count: number) =>
    pool.query(
      `insert into received_delivery (seller_id, mode, verdict, event, delivery_id, received_at)
       select $1, $2, $3, $4, $4 || n, now() - make_interval(days => $5)
         from generate_series(1, $6::int) n`,
      [owner.seller_id, owner.mode, verdict, event, days, count],
    );
  await make("verified", "checkout.succeeded", 400, 3);
  await make("verified", "checkout.failed", 31, 3);
  await make("forged", "checkout.succeeded", 1, 2_100);
  for (let sent = 0; sent < 20; sent += 1)
    await send(await signedRequest({ id: `again ${sent}` }));
  const counts = Object.groupBy(await verdicts(), (verdict) => verdict);
  expect(counts["verified"]).toHaveLength(23);
  expect(counts["forged"]).toHaveLength(2_000);
});

test("many old deliveries are deleted in steps", async () => {
  await pool.query(
    `insert into received_delivery (seller_id, mode, verdict, event, delivery_id, received_at)
     select $1, $2, verdict, 'checkout.failed', verdict || n, now() - make_interval(days => days)
       from generate_series(1, 3500) n, (values ('verified', 31), ('forged', 1)) t (verdict, days)`,
    [owner.seller_id, owner.mode],
  );
  const sendTwenty = async () => {
    for (let sent = 0; sent < 20; sent += 1)
      await send(await signedRequest({ id: randomBytes(8).toString("hex") }));
    const kept = Object.groupBy(await verdicts(), (verdict) => verdict);
    return [kept["verified"]?.length, kept["forged"]?.length];
  };
  expect(await sendTwenty()).toEqual([2_520, 2_500]);
  expect(await sendTwenty()).toEqual([1_540, 2_000]);
});

test("the database does not allow changes to a stored delivery", async () => {
  await send(await signedRequest());
  await expect(pool.query("update received_delivery set verdict = 'forged'")).rejects.toThrow(
    "append-only",
  );
});

test("open pages are notified of new verified deliveries, only with ids", async () => {
  const listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  await listener.query("listen live");
  const told: unknown[] = [];
  listener.on("notification", ({ payload = "" }) => told.push(JSON.parse(payload)));
  await send(await signedRequest());
  await send(await signedRequest());
  await send(unsignedRequest("{}"));
  // Notifications sent by these commits arrive before the answer of a later query.
  await listener.query("select 1");
  await listener.end();
  const [{ id } = { id: "" }] = await storedDeliveriesOf(owner);
  expect(told).toEqual([
    {
      number: expect.any(Number),
      ...owner,
      kind: "delivery",
      ids: ["sub-1"],
      delivery: id,
      event: "checkout.succeeded",
    },
  ]);
});

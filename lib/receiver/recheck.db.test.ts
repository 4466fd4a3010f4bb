import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { STANDARD_SCHEME } from "#lib/signature.ts";
import { createIndexOwner, TEST_KEYS } from "#tools/testing/fixtures/search-index-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  countPaymentsOf,
  deliverTo,
  storeReceiverSecret,
  storedDeliveriesOf,
  unsignedRequest,
  setScheme,
  signedRequest,
  checkoutSucceededBody,
  readReceiverToken,
} from "#tools/testing/fixtures/receiver-fixture.ts";
import { readReceiver } from "./store.ts";
import { recheckStored } from "./recheck.ts";

useDashboardDatabase();
let owner: KeyOwner;
let token: string;

beforeEach(async () => {
  owner = await createIndexOwner();
  token = await readReceiverToken(owner);
  await storeReceiverSecret(owner);
});

const send = (request: Request) => deliverTo(token, request);

test("after a secret was added, the recheck verifies earlier deliveries, and forged deliveries stay forged", async () => {
  await pool.query("delete from receiver_secret");
  await send(await signedRequest({ id: "paid" }));
  await send(await signedRequest({ id: "paid" }));
  await send(await signedRequest({ id: "old", age: 900 }));
  await send(unsignedRequest(JSON.stringify(checkoutSucceededBody("sub-2"))));
  const long = await signedRequest({
    id: "long",
    body: { ...checkoutSucceededBody(), more: "x".repeat(30_000) },
  });
  // The body is too long to store and check later.
  await expect(send(long)).resolves.toEqual({ status: 503, reason: "no_secret" });
  await storeReceiverSecret(owner, `whsec_${randomBytes(32).toString("base64")}`);
  await expect(send(await signedRequest({ id: "wrong" }))).resolves.toMatchObject({
    status: 401,
  });
  await expect(recheckStored(pool, owner, TEST_KEYS)).resolves.toBe(0);
  expect(await countPaymentsOf(owner)).toBe(0);

  await storeReceiverSecret(owner);
  await expect(recheckStored(pool, owner, TEST_KEYS)).resolves.toBe(2);
  await expect(recheckStored(pool, owner, TEST_KEYS)).resolves.toBe(0);
  const kept = await storedDeliveriesOf(owner);
  const later = kept.filter(({ reason }) => reason === "checked_later");
  expect(later).toMatchObject([
    { delivery_id: "paid", verdict: "verified", received_at: kept[0]?.received_at },
    { delivery_id: "wrong", verdict: "verified" },
  ]);
  expect(await countPaymentsOf(owner)).toBe(2);
  // The row that was verified later is listed next to the original, unverified one.
  const { latest } = await readReceiver(pool, owner, "http://localhost");
  expect(latest.map(({ verdict }) => verdict)).toEqual([
    "verified",
    "forged",
    ...Array<string>(4).fill("unverified"),
    "verified",
    "unverified",
  ]);
  await expect(send(await signedRequest({ id: "paid" }))).resolves.toEqual({
    status: 204,
    reason: "seen_before",
  });
});

test("after another process added a secret, the next delivery triggers a recheck of earlier deliveries", async () => {
  await pool.query("delete from receiver_secret");
  await send(await signedRequest({ id: "before" }));
  await storeReceiverSecret(owner);
  await Promise.all(
    [1, 2, 3].map(async (at) => send(await signedRequest({ id: `after ${at}` }))),
  );
  await expect(countPaymentsOf(owner)).resolves.toBe(4);
});

test("the recheck verifies earlier deliveries before the delivery that triggers the recheck", async () => {
  const otherSecret = `whsec_${randomBytes(32).toString("base64")}`;
  await send(await signedRequest({ id: "first", secret: otherSecret }));
  await recheckStored(pool, owner, TEST_KEYS);
  await storeReceiverSecret(owner, otherSecret);
  await send(await signedRequest({ id: "second" }));
  const ids = (await storedDeliveriesOf(owner)).map(({ delivery_id }) => delivery_id);
  expect(ids).toEqual([null, "first", "second"]);

  const thirdSecret = `whsec_${randomBytes(32).toString("base64")}`;
  await send(await signedRequest({ id: "third", secret: thirdSecret }));
  await send(await signedRequest({ id: "fourth" }));
  const newest = (await storedDeliveriesOf(owner)).at(-1)?.received_at.getTime();
  await storeReceiverSecret(owner, thirdSecret);
  await expect(recheckStored(pool, owner, TEST_KEYS)).resolves.toBe(1);
  const { last_verified_at } = await readReceiver(pool, owner, "http://localhost");
  expect(new Date(last_verified_at ?? 0).getTime()).toBe(newest);
});

test("a delivery is stored even if the recheck of earlier deliveries fails", async () => {
  await pool.query("delete from receiver_secret");
  await send(await signedRequest({ id: "before" }));
  await storeReceiverSecret(owner);
  await pool.query(
    `alter table received_delivery add constraint broken
       check (reason is distinct from 'checked_later') not valid`,
  );
  await expect(send(await signedRequest({ id: "after" }))).resolves.toMatchObject({
    status: 204,
  });
  await pool.query("alter table received_delivery drop constraint broken");
  await expect(countPaymentsOf(owner)).resolves.toBe(1);
  await send(await signedRequest({ id: "again" }));
  await expect(countPaymentsOf(owner)).resolves.toBe(3);
});

test("a recheck that fails keeps the deliveries verified before, and the next recheck verifies the others", async () => {
  await pool.query("delete from receiver_secret");
  for (let at = 1; at <= 25; at += 1) await send(await signedRequest({ id: `before ${at}` }));
  await storeReceiverSecret(owner);
  await pool.query(
    `alter table received_delivery add constraint broken
       check (reason is distinct from 'checked_later' or delivery_id <> 'before 25') not valid`,
  );
  await expect(recheckStored(pool, owner, TEST_KEYS)).rejects.toThrow("broken");
  await expect(countPaymentsOf(owner)).resolves.toBe(20);
  await pool.query("alter table received_delivery drop constraint broken");
  await expect(recheckStored(pool, owner, TEST_KEYS)).resolves.toBe(5);
  await expect(countPaymentsOf(owner)).resolves.toBe(25);
});

const OTHERWISE = {
  ...STANDARD_SCHEME,
  headers: { id: null, timestamp: "x-time", signature: "x-signature" },
  encoding: "hex",
  prefix: "",
  signs: "timestamp.body",
  secret: "text",
} as const;

test("the recheck verifies earlier deliveries after the signature format was set", async () => {
  await pool.query("delete from receiver_secret");
  const secret = "a secret of a sender of its own kind";
  const request = await signedRequest({ scheme: OTHERWISE, secret });
  const others = {
    cookie: "a=b",
    authorization: "Bearer abc",
    "proxy-authorization": "Basic abc",
    forwarded: "for=203.0.113.9",
    "x-forwarded-for": "203.0.113.9",
    "x-real-ip": "203.0.113.9",
    te: "trailers",
    "x-long": "x".repeat(9_000),
  };
  for (const [name, value] of Object.entries(others)) request.headers.set(name, value);
  for (let at = 0; at < 200; at += 1) request.headers.set(`y-${at}`, "more");
  await expect(send(request)).resolves.toEqual({ status: 204, reason: "no_secret" });
  const [kept] = await storedDeliveriesOf(owner);
  const names = Object.keys(kept?.headers ?? {});
  expect(names).toEqual(expect.arrayContaining(["x-time", "x-signature", "x-long"]));
  expect(names.filter((name) => name !== "x-long" && name in others)).toEqual([]);
  expect(names.length).toBeLessThanOrEqual(50);
  expect(kept?.headers["x-long"]).toHaveLength(2_000);

  await storeReceiverSecret(owner, secret);
  await expect(recheckStored(pool, owner, TEST_KEYS)).resolves.toBe(0);
  await setScheme(owner, OTHERWISE);
  await expect(recheckStored(pool, owner, TEST_KEYS)).resolves.toBe(1);
  await expect(countPaymentsOf(owner)).resolves.toBe(1);
  const verified = (await storedDeliveriesOf(owner)).at(-1);
  expect(Object.keys(verified?.headers ?? {}).toSorted()).toEqual([
    "content-type",
    "x-signature",
    "x-time",
  ]);
});

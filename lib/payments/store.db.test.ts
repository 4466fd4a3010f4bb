import { beforeEach, describe, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { testIsolation } from "#tools/testing/isolation.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
  storeRecords,
} from "#tools/testing/fixtures/records-fixture.ts";
import { stubEnvironment } from "#tools/testing/person.ts";
import {
  recheckDeliveries,
  deliverTo,
  storeReceiverSecret,
  signedRequest,
  checkoutSucceededBody,
  readReceiverToken,
} from "#tools/testing/fixtures/receiver-fixture.ts";
import {
  countNewPayments,
  readPayments,
  readSubscriptionPayments,
  type KnownPaymentSearch,
} from "./store.ts";
import { recordBuyerReturn } from "./buyer-returns.ts";
import { parsePaymentSearch } from "./search.ts";

stubEnvironment();
useDashboardDatabase();

const EVERY = parsePaymentSearch({});
const ZONE = "Asia/Kathmandu";
const OTHER_SECRET = `whsec_${Buffer.from("another secret of thirty-two bytes").toString("base64")}`;
const paid = makeSubscription({ product: { price: "1000.50", currency: "NPR" } });
const id = paid.subscription_id;
let owner: KeyOwner;
let token: string;

beforeEach(async () => {
  owner = await createIndexedSeller(pool, { subscriptions: [paid] });
  token = await readReceiverToken(owner);
  await storeReceiverSecret(owner);
});

const payments = (search: KnownPaymentSearch = EVERY) =>
  readPayments(pool, owner, search, ZONE);
const deliver = async (sent: Parameters<typeof signedRequest>[0]) =>
  deliverTo(token, await signedRequest(sent));

test("an invalid subscription id has no payments", async () => {
  await expect(readSubscriptionPayments(pool, owner, "\0")).resolves.toMatchObject({
    payments: [],
  });
});

describe("a payment is verified", () => {
  test("by a delivery, and stored with its amount, fee and net amount", async () => {
    await deliver({ body: checkoutSucceededBody(id) });
    const { payments: found, totals, unknown } = await payments();
    expect(found).toMatchObject([
      {
        subscription_id: id,
        delivery_id: "msg-1",
        amount: "1000.50",
        currency: "NPR",
        fee: "19.91",
        net: "980.59",
        known_by: "subscription",
        // No product lists its period.
        is_list_price: true,
        buyer: paid.client.full_name,
        product_name: paid.product.name,
      },
    ]);
    expect(totals).toEqual([
      { currency: "NPR", count: 1, amount: "1000.50", fee: "19.91", net: "980.59" },
    ]);
    expect(unknown).toBe(0);
  });

  test("by a delivery with a receipt reference, by which the payment can be searched", async () => {
    const payment_id = "d6061684-2f0e-4b3a-9c57-81e4a7d09b26";
    await deliver({ body: { ...checkoutSucceededBody(id), data: { payment_id } } });
    await deliver({ id: "msg-2", body: { ...checkoutSucceededBody(id), timestamp: null } });
    expect((await payments()).payments.map(({ reference }) => reference)).toEqual([
      null,
      "D6061684",
    ]);
    for (const q of ["D6061684", payment_id]) {
      const found = await payments(parsePaymentSearch({ q }));
      expect(found.payments.map(({ delivery_id }) => delivery_id)).toEqual(["msg-1"]);
    }
  });

  test("before its subscription is indexed, and gets its amount later", async () => {
    const late = makeSubscription({ product: { price: "40", currency: "NPR" } });
    await deliver({ body: checkoutSucceededBody(late.subscription_id) });
    await expect(payments()).resolves.toMatchObject({
      payments: [{ amount: null, known_by: "unknown", is_list_price: null }],
      totals: [],
      unknown: 1,
    });
    await storeRecords(pool, owner, { subscriptions: [late] });
    await expect(payments()).resolves.toMatchObject({
      payments: [
        { amount: "40.00", fee: "0.80", net: "39.20", known_by: "later", is_list_price: true },
      ],
      unknown: 0,
    });
  });

  test("with the time that the delivery states, if the time is readable", async () => {
    const timestamp = "2027-01-20T04:15:00.000Z";
    for (const [at, said] of [timestamp, "soon", 7, undefined].entries())
      await deliver({
        id: `msg-${at}`,
        body: { ...checkoutSucceededBody(id), timestamp: said },
      });
    const { payments: found } = await readSubscriptionPayments(pool, owner, id);
    expect(found.map(({ said_at }) => said_at && Date.parse(said_at))).toEqual([
      null,
      null,
      null,
      Date.parse(timestamp),
    ]);
    expect((await payments()).payments.at(-1)?.said_at).toBe(timestamp);
  });

  test("only for the seller and mode of the delivery", async () => {
    const other = await createIndexedSeller(pool, { subscriptions: [paid] });
    await deliver({ body: checkoutSucceededBody(id) });
    await expect(readPayments(pool, other, EVERY, ZONE)).resolves.toMatchObject({
      payments: [],
    });
    const live: KeyOwner = { ...owner, mode: "live" };
    await expect(readPayments(pool, live, EVERY, ZONE)).resolves.toMatchObject({
      payments: [],
    });
  });
});

describe("no payment is verified by", () => {
  test.each<[string, Parameters<typeof signedRequest>[0]]>([
    ["a forged delivery", { body: checkoutSucceededBody(id), secret: OTHER_SECRET }],
    ["a late delivery", { body: checkoutSucceededBody(id), age: 400 }],
    ["a delivery from the future", { body: checkoutSucceededBody(id), age: -400 }],
    ["another event", { body: { ...checkoutSucceededBody(id), event: "checkout.failed" } }],
    ["an example", { body: { ...checkoutSucceededBody(id), reason: "example" } }],
    ["a delivery without a subscription", { body: { event: "checkout.succeeded" } }],
    ["a body that is not JSON", { body: "checkout.succeeded" }],
  ])("%s", async (_name, sent) => {
    await deliver(sent);
    expect((await payments()).payments).toEqual([]);
  });

  test("a repeated delivery, even if the copies arrive at once", async () => {
    await Promise.all([1, 2, 3].map(() => deliver({ body: checkoutSucceededBody(id) })));
    await deliver({ body: checkoutSucceededBody(id) });
    expect((await payments()).payments).toHaveLength(1);
  });

  test("a buyer's return from the checkout", async () => {
    await recordBuyerReturn(pool, owner.seller_id, id, "203.0.113.7");
    expect((await payments()).payments).toEqual([]);
    await expect(readSubscriptionPayments(pool, owner, id)).resolves.toMatchObject({
      payments: [],
      returned_at: expect.any(String),
      returned_ago: expect.any(Number),
    });
  });
});

describe("a verified payment", () => {
  test("cannot be changed, and is deleted only with its seller", async () => {
    await deliver({ body: checkoutSucceededBody(id) });
    for (const sql of [
      "update proof set amount = 1 where seller_id = $1",
      "update proof set at = now() where seller_id = $1",
      "delete from proof where seller_id = $1",
      "delete from received_delivery where seller_id = $1",
    ])
      await expect(pool.query(sql, [owner.seller_id])).rejects.toThrow("append-only");
    await pool.query("delete from seller where id = $1", [owner.seller_id]);
    expect((await payments()).payments).toEqual([]);
  });

  test("stays when the connection is removed", async () => {
    await deliver({ body: checkoutSucceededBody(id) });
    await pool.query("delete from billing_connection where seller_id = $1", [owner.seller_id]);
    expect((await payments()).payments).toMatchObject([{ amount: "1000.50", buyer: null }]);
  });

  test("is stored even if PostgreSQL cannot parse the body of the delivery", async () => {
    const body = JSON.stringify({ ...checkoutSucceededBody(id), note: "\0" });
    await deliver({ body });
    expect((await payments()).payments).toMatchObject([{ amount: "1000.50" }]);
  });
});

test("payments that match the search and are newer than the shown payments are counted", async () => {
  await deliver({ body: checkoutSucceededBody(id) });
  const newest = (await payments()).payments[0]?.id ?? "";
  const count = (search = EVERY) => countNewPayments(pool, owner, { search, newest }, ZONE);
  await expect(count()).resolves.toBe(0);
  for (const at of [2, 3]) await deliver({ id: `msg-${at}`, body: checkoutSucceededBody(id) });
  await expect(count()).resolves.toBe(2);
  await expect(count(parsePaymentSearch({ q: "msg-3" }))).resolves.toBe(1);
});

test("payments are found by their amount in several notations and by the buyer's phone number", async () => {
  await deliver({ body: checkoutSucceededBody(id) });
  const count = async (search: Parameters<typeof payments>[0]) =>
    (await payments(search)).payments.length;
  for (const q of ["1000.5", "1,000.50", "NPR 1,000.50", "Rs 1000.50"])
    expect([q, await count(parsePaymentSearch({ q }))]).toEqual([q, 1]);
  for (const q of ["1000.51", "1000", "NPR", ","])
    expect([q, await count(parsePaymentSearch({ q }))]).toEqual([q, 0]);
  const { rows } = await pool.query<{ phone_key: string }>(
    "select phone_key from indexed_subscription where id = $1",
    [id],
  );
  const phone_key = rows[0]?.phone_key ?? "";
  expect(await count({ ...EVERY, phone_keys: [phone_key, "1"] })).toBe(1);
  expect(await count({ ...EVERY, phone_keys: ["9779812345678"] })).toBe(0);
  expect(await count({ ...EVERY, phone_keys: [""] })).toBe(0);
});

test("a payment that is verified later keeps its place in the list, is counted as new once and shifts no page", async () => {
  const named = (found: Awaited<ReturnType<typeof payments>>) =>
    found.payments.map(({ delivery_id }) => delivery_id);
  const count = (newest: string) =>
    countNewPayments(pool, owner, { search: EVERY, newest }, ZONE);
  await pool.query("delete from receiver_secret");
  await deliver({ id: "early", body: checkoutSucceededBody(id) });
  await storeReceiverSecret(owner, OTHER_SECRET);
  for (let at = 0; at < 26; at += 1)
    await deliver({ id: `msg-${at}`, body: checkoutSucceededBody(id), secret: OTHER_SECRET });
  const first = await payments();
  expect(named(first)).toHaveLength(25);
  expect(named(first).slice(0, 2)).toEqual(["msg-25", "msg-24"]);
  await storeReceiverSecret(owner);
  await recheckDeliveries(owner);
  await expect(count(first.newest)).resolves.toBe(1);
  expect(named(await payments({ ...EVERY, before: first.next }))).toEqual(["msg-0", "early"]);
  const again = await payments();
  expect(named(again)).toEqual(named(first));
  await expect(count(again.newest)).resolves.toBe(0);
});

test("days in the seller's time zone and search text filter the list and its totals", async () => {
  await deliver({ body: checkoutSucceededBody(id) });
  const today = new Date().toLocaleDateString("sv", { timeZone: ZONE });
  const counts = async (search: Record<string, string>) => {
    const found = await payments(parsePaymentSearch(search));
    return [found.payments.length, found.totals.length];
  };
  expect(await counts({ from: today, to: today })).toEqual([1, 1]);
  expect(await counts({ to: "2020-01-01" })).toEqual([0, 0]);
  expect(await counts({ from: "2999-01-01" })).toEqual([0, 0]);
  expect(await counts({ q: "msg-1" })).toEqual([1, 1]);
  expect(await counts({ q: id.slice(-8) })).toEqual([1, 1]);
  expect(await counts({ q: paid.product.name.toUpperCase() })).toEqual([1, 1]);
  expect(await counts({ q: "%" })).toEqual([0, 0]);
});

test("a payment of a subscription that is verified later keeps its place and hides no newer unverified delivery", async () => {
  await deliver({ id: "first", body: checkoutSucceededBody(id), secret: OTHER_SECRET });
  await deliver({ id: "second", body: checkoutSucceededBody(id) });
  const timestamp = "2027-01-20T04:15:00.000Z";
  await deliver({ id: "third", body: { ...checkoutSucceededBody(id), timestamp }, age: 900 });
  await storeReceiverSecret(owner, OTHER_SECRET);
  await recheckDeliveries(owner);
  const { payments: found, unproven } = await readSubscriptionPayments(pool, owner, id);
  expect(found.map(({ delivery_id }) => delivery_id)).toEqual(["second", "first"]);
  expect(unproven).toMatchObject({ verdict: "late", said_at: timestamp });
  await deliver({ id: "fourth", body: checkoutSucceededBody(id) });
  await expect(readSubscriptionPayments(pool, owner, id)).resolves.toMatchObject({
    unproven: null,
  });
});

test("an unreadable time in an unverified delivery is ignored", async () => {
  const said = async () =>
    (await readSubscriptionPayments(pool, owner, id)).unproven?.said_at ?? null;
  for (const timestamp of ["soon", "2027-13-40T99:00:00Z", 7, null, undefined]) {
    await deliver({ body: { ...checkoutSucceededBody(id), timestamp }, age: 900 });
    expect(await said()).toBeNull();
  }
  await deliver({
    body: { ...checkoutSucceededBody(id), timestamp: "2027-01-20T10:00:00+05:45" },
    age: 900,
  });
  expect(await said()).toBe("2027-01-20T04:15:00.000Z");
});

describe("another seller or mode", () => {
  testIsolation(() => owner, ["proof", "buyer_return"], {
    readPayments: (who) => readPayments(pool, who, EVERY, ZONE),
    countNewPayments: (who) =>
      countNewPayments(pool, who, { search: EVERY, newest: "0" }, ZONE),
    readSubscriptionPayments: (who) => readSubscriptionPayments(pool, who, id),
  });
});

import { beforeEach, describe, expect, test } from "vitest";
import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { recordSeenPayments } from "#lib/search-index/sync/store.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
  storeRecords,
} from "#tools/testing/fixtures/records-fixture.ts";
import {
  deliverTo,
  storeReceiverSecret,
  signedRequest,
  checkoutSucceededBody,
  readReceiverToken,
} from "#tools/testing/fixtures/receiver-fixture.ts";
import { readPayments, readSubscriptionPayments } from "./store.ts";
import { paymentState } from "./rules.ts";
import { parsePaymentSearch } from "./search.ts";

useDashboardDatabase();

const paid = makeSubscription();
let owner: KeyOwner;
let token: string;

beforeEach(async () => {
  owner = await createIndexedSeller(pool, { subscriptions: [paid] });
  token = await readReceiverToken(owner);
  await storeReceiverSecret(owner);
});

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const payments = () => readPayments(pool, owner, parsePaymentSearch({}), "Asia/Kathmandu");
const deliver = async (sent: Parameters<typeof signedRequest>[0]) =>
  deliverTo(token, await signedRequest(sent));

describe("a payment that is seen in the subscription's record", () => {
  const waiting = makeSubscription({
    status: "pending_checkout",
    current_period_start: null,
    current_period_end: null,
    next_billing_cycle: null,
  });
  const started = new Date().toISOString();
  const first = { ...waiting, status: "active", current_period_start: started };
  const shown = (...subscriptions: Subscription[]) =>
    storeRecords(pool, owner, { subscriptions }).then(() => recordSeenPayments(pool, owner));
  const deliverFirst = (timestamp = started) =>
    deliver({
      body: {
        ...checkoutSucceededBody(first.subscription_id),
        old_status: "pending_checkout",
        timestamp,
      },
    });

  beforeEach(() => shown(waiting));

  test("is stored once, as confirmed by the record, if no delivery arrived", async () => {
    await shown(first);
    await recordSeenPayments(pool, owner);
    expect((await payments()).payments).toMatchObject([
      { received_delivery_id: null, amount: "500.00", known_by: "record", is_renewal: false },
    ]);
    expect((await payments()).payments).toMatchObject([{ is_list_price: true, method: null }]);
    await expect(payments()).resolves.toMatchObject({
      totals: [{ count: 1, amount: "500.00" }],
    });
  });

  test("is merged with its delivery, whether the record or the delivery arrives first", async () => {
    await shown(first);
    const [before] = (await payments()).payments;
    await deliver({
      body: {
        ...checkoutSucceededBody(first.subscription_id),
        old_status: "pending_checkout",
        timestamp: started,
        data: { amount: "452.00", vat: "52.00", method: "bank" },
      },
    });
    expect((await payments()).payments).toMatchObject([
      { id: before?.id, delivery_id: "msg-1", known_by: "delivery", is_renewal: false },
    ]);
    expect((await payments()).payments).toMatchObject([
      { amount: "452.00", vat: "52.00", method: "bank", is_list_price: false },
    ]);
    const renewed = {
      ...first,
      current_period_start: new Date(Date.now() + 60_000).toISOString(),
    };
    await deliver({
      id: "msg-2",
      body: {
        ...checkoutSucceededBody(first.subscription_id),
        timestamp: renewed.current_period_start,
      },
    });
    await shown(renewed);
    expect((await payments()).payments).toMatchObject([
      { delivery_id: "msg-2", is_renewal: true },
      { delivery_id: "msg-1" },
    ]);
  });

  test("is merged with its delivery when both arrive at once", async () => {
    await storeRecords(pool, owner, { subscriptions: [first] });
    await Promise.all([recordSeenPayments(pool, owner), deliverFirst()]);
    await recordSeenPayments(pool, owner);
    expect((await payments()).payments).toMatchObject([{ delivery_id: "msg-1" }]);
  });

  test("is not merged with the delivery of an earlier billing period", async () => {
    await deliverFirst();
    await shown(first);
    const later = new Date(Date.now() + 30 * 86_400_000).toISOString();
    await shown({ ...first, current_period_start: later });
    expect((await payments()).payments).toMatchObject([
      { received_delivery_id: null, is_renewal: true },
      { delivery_id: "msg-1", is_renewal: false },
    ]);
  });

  test("is stored in batches if many subscriptions have such a payment", async () => {
    const many = Array.from({ length: 501 }, () =>
      makeSubscription({ status: "pending_checkout", current_period_start: null }),
    );
    await storeRecords(pool, owner, { subscriptions: many });
    const subscriptions = many.map((one) => ({
      ...one,
      status: "active",
      current_period_start: started,
    }));
    await storeRecords(pool, owner, { subscriptions });
    const { rows } = await pool.query<{ settled: number }>(
      "select keep_shown_payments($1, $2) as settled",
      [owner.seller_id, owner.mode],
    );
    expect(rows).toEqual([{ settled: 500 }]);
    await recordSeenPayments(pool, owner);
    await expect(payments()).resolves.toMatchObject({ totals: [{ count: 501 }] });
  });

  test("does not get its price from another billing period or from unreadable price steps", async () => {
    const steps = (pbp_id: string) =>
      pool.query(
        `insert into mirror_product (seller_id, mode, id, words, record,
           asked_at, read_at, price_steps)
         values ($1, $2, $3, '', '{}', now(), now(), $4)`,
        [
          owner.seller_id,
          owner.mode,
          pbp_id,
          JSON.stringify([
            { pbp_id, price: "soon", currency: "NPR", since: null, amount: "1" },
          ]),
        ],
      );
    await steps("another period");
    await shown(first);
    expect((await payments()).payments).toMatchObject([{ amount: "500.00" }]);
    await deliverFirst();
    const start = new Date(Date.now() + 86_400_000).toISOString();
    await deliver({
      id: "msg-2",
      body: { ...checkoutSucceededBody(first.subscription_id), timestamp: start },
    });
    await steps(first.product.pbp_id);
    await shown({ ...first, current_period_start: start });
    expect((await payments()).payments).toMatchObject([
      { delivery_id: "msg-2" },
      { delivery_id: "msg-1" },
    ]);
  });

  test("stays a separate payment when the delivery of the next payment arrives", async () => {
    const month = inDays(30);
    const later = inDays(31);
    await shown({ ...first, next_billing_cycle: month });
    const [before] = (await payments()).payments;
    const data = { amount: "600.00", payment_id: "d6061684-2f0e-4b3a-9c57-81e4a7d09b26" };
    await deliver({
      id: "next",
      body: { ...checkoutSucceededBody(first.subscription_id), timestamp: later, data },
    });
    await shown({ ...first, current_period_start: month, next_billing_cycle: inDays(60) });
    const { payments: found, totals } = await payments();
    expect(found).toEqual([
      expect.objectContaining({ delivery_id: "next", amount: "600.00", reference: "D6061684" }),
      before,
    ]);
    expect(found.map(({ said_at }) => said_at)).toEqual([later, started]);
    expect(totals).toMatchObject([{ count: 2, amount: "1100.00" }]);
  });

  test("stays a separate payment when the delivery of an early renewal arrives", async () => {
    await shown({ ...first, status: "due" });
    const renewed = {
      ...first,
      current_period_start: inDays(0),
      next_billing_cycle: inDays(29),
    };
    await shown(renewed);
    const body = { ...checkoutSucceededBody(first.subscription_id), old_status: "active" };
    await deliver({ id: "ahead", body: { ...body, timestamp: inDays(1) } });
    expect((await payments()).payments.map(({ delivery_id }) => delivery_id)).toEqual([
      "ahead",
      null,
      null,
    ]);
  });

  test("is merged with a delivery that does not state the old status", async () => {
    await shown(first);
    await shown({ ...first, status: "due" });
    await shown({ ...first, current_period_start: inDays(0), next_billing_cycle: inDays(29) });
    const { old_status: _unsaid, ...body } = checkoutSucceededBody(first.subscription_id);
    await deliver({ id: "told", body: { ...body, timestamp: inDays(0) } });
    expect((await payments()).payments.map(({ delivery_id }) => delivery_id)).toEqual([
      "told",
      null,
    ]);
  });

  test("is merged with a delivery that arrives days later", async () => {
    const current_period_start = inDays(-5);
    await storeRecords(pool, owner, {
      subscriptions: [{ ...first, current_period_start, next_billing_cycle: inDays(25) }],
    });
    await pool.query("update mirror_change set seen_at = $2 where seller_id = $1", [
      owner.seller_id,
      current_period_start,
    ]);
    await recordSeenPayments(pool, owner);
    await deliverFirst(current_period_start);
    expect((await payments()).payments).toMatchObject([
      { delivery_id: "msg-1", is_renewal: false },
    ]);
  });

  test("is not stored when a billing date was moved by hand", async () => {
    await shown({ ...paid, next_billing_cycle: "2027-01-01T00:00:00Z" });
    expect((await payments()).payments).toEqual([]);
  });

  test("is listed with the failed payments of its subscription", async () => {
    await shown(first);
    const body = { ...checkoutSucceededBody(first.subscription_id), event: "checkout.failed" };
    await deliver({ id: "msg-failed", body });
    const told = await readSubscriptionPayments(pool, owner, first.subscription_id);
    expect(told).toMatchObject({
      payments: [{ known_by: "record" }],
      failures: [expect.any(String)],
    });
    expect(paymentState(told, first)).toBe("confirmed");
  });
});

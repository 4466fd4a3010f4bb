import { beforeEach, expect, test } from "vitest";
import { ReceivedProductPage } from "#contract/products.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { recordSeenPayments } from "#lib/search-index/sync/store.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
  storeRecords,
} from "#tools/testing/fixtures/records-fixture.ts";
import { stubEnvironment } from "#tools/testing/person.ts";
import {
  deliverTo,
  storeReceiverSecret,
  signedRequest,
  checkoutSucceededBody,
  readReceiverToken,
} from "#tools/testing/fixtures/receiver-fixture.ts";
import { readPayments, readSubscriptionPayments } from "./store.ts";
import { parsePaymentSearch } from "./search.ts";

stubEnvironment();
useDashboardDatabase();

const paid = makeSubscription();
const id = paid.subscription_id;
let owner: KeyOwner;
let token: string;

beforeEach(async () => {
  owner = await createIndexedSeller(pool, { subscriptions: [paid] });
  token = await readReceiverToken(owner);
  await storeReceiverSecret(owner);
});

const payments = () => readPayments(pool, owner, parsePaymentSearch({}), "Asia/Kathmandu");
const deliver = async (sent: Parameters<typeof signedRequest>[0]) =>
  deliverTo(token, await signedRequest(sent));

test("a payment has the amount that its webhook delivery states", async () => {
  await deliver({
    body: { ...checkoutSucceededBody(id), data: { amount: "250.00", currency: "USD" } },
  });
  expect((await payments()).payments).toMatchObject([
    { amount: "250.00", currency: "USD", fee: "4.98", net: "245.02", known_by: "delivery" },
  ]);
  expect((await payments()).payments).toMatchObject([{ is_list_price: false }]);
});

test("a payment has the method and VAT that its webhook delivery states", async () => {
  const data = { amount: "904.00", currency: "NPR", vat: "104.00", method: "wallet" };
  await deliver({ body: { ...checkoutSucceededBody(id), data } });
  const odd = { vat: { vat_percentage: 13 }, method: ["wallet"] };
  await deliver({
    id: "msg-2",
    body: { ...checkoutSucceededBody(id), timestamp: null, data: odd },
  });
  await deliver({
    id: "msg-3",
    body: { ...checkoutSucceededBody(id), vat: "7", method: "by hand" },
  });
  expect((await payments()).payments).toMatchObject([
    { vat: "7.00", method: "by hand" },
    { vat: null, method: null },
    { vat: "104.00", method: "wallet" },
  ]);
  const { payments: found } = await readSubscriptionPayments(pool, owner, id);
  expect(found.at(-1)).toMatchObject({ vat: "104.00", method: "wallet" });
});

test("a payment whose webhook delivery states no amount has the checkout price of that day", async () => {
  const period = {
    pbp_id: "paneer",
    interval_type: "month" as const,
    interval_count: 1,
    label: "Monthly",
    price: "1000.00",
    currency: "NPR",
    is_current: true,
    is_limited: false,
    is_archived: false,
    offers: [
      {
        id: "offer",
        discount_amount: 200,
        starts_at: "2020-01-01",
        valid_until: "2999-01-01",
        is_active: true,
      },
    ],
  };
  const paneer = ReceivedProductPage.parse({
    results: [
      {
        product_id: "p-paneer",
        name: "Paneer",
        vat: { is_vat_active: true, vat_type: "exclusive", vat_percentage: 13 },
        plan: [{ plan_id: "1", plan_name: "", description: "", billing_periods: [period] }],
      },
    ],
  }).results;
  const record = makeSubscription({
    product: { pbp_id: "paneer", price: "1000.00", currency: "NPR" },
  });
  await storeRecords(pool, owner, { products: paneer, subscriptions: [record] });
  await deliver({ body: checkoutSucceededBody(record.subscription_id) });
  expect((await payments()).payments[0]).toMatchObject({
    amount: "904.00",
    fee: "17.99",
    is_list_price: false,
  });
  // The amount is the same if only the record shows the next payment.
  const current_period_start = new Date(Date.now() + 86_400_000).toISOString();
  await storeRecords(pool, owner, { subscriptions: [{ ...record, current_period_start }] });
  await recordSeenPayments(pool, owner);
  const [shown] = (await payments()).payments;
  expect(shown).toMatchObject({
    amount: "904.00",
    received_delivery_id: null,
    is_list_price: false,
  });
});

import { beforeEach, expect, test } from "vitest";
import type { AccountPayment } from "#contract/payments.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { recordToldPayments } from "#lib/search-index/sync/store.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
} from "#tools/testing/fixtures/records-fixture.ts";
import { currentPayment } from "./rules.ts";
import { parsePaymentSearch } from "./search.ts";
import { readPayments, readSubscriptionPayments } from "./store.ts";

useDashboardDatabase();

const subscription = makeSubscription({ status: "active" });
const PAID_AT = subscription.current_period_start ?? "";
const cash: AccountPayment = {
  payment_id: "d6061684-2f0e-4b3a-9c57-81e4a7d09b26",
  reference: "D6061684",
  subscription_id: subscription.subscription_id,
  customer: { id: 1, full_name: "", buyer_phone: "", buyer_email: "" },
  product: { product_id: "p-milk", name: "Milk", plan_name: "Daily" },
  amount: "1000.00",
  currency: "NPR",
  vat: null,
  fee: "0.00",
  method: "cash",
  provider_reference: null,
  refunded: "0.00",
  refund_owed: "0.00",
  dispute: null,
  bill_id: null,
  reversed_at: null,
  recorded: {
    id: "5c1d7a04-9f6b-4f53-8d0e-0c4b1f2a7e91",
    by: "Sita Rai",
    approved_by: null,
    reference: "Book 12",
    received_on: "2026-03-10",
    has_photo: true,
  },
  period_start: PAID_AT,
  paid_at: PAID_AT,
};
const wallet: AccountPayment = {
  ...cash,
  payment_id: "0b7de3f2-6f5a-4f0b-9c2e-8a1d3c5e7f90",
  method: "wallet",
  fee: "19.90",
  recorded: null,
};

let owner: KeyOwner;
beforeEach(async () => {
  owner = await createIndexedSeller(pool, { subscriptions: [subscription] });
});

const tell = (...payments: AccountPayment[]) => recordToldPayments(pool, owner, payments, true);
const listed = () => readPayments(pool, owner, parsePaymentSearch({}), "Asia/Kathmandu");
const ofSubscription = async () =>
  (await readSubscriptionPayments(pool, owner, subscription.subscription_id)).payments;

test("a payment shows the member who recorded it, and refunds made later", async () => {
  await tell(cash);
  const { payments, totals } = await listed();
  expect(payments).toMatchObject([
    { fee: "0.00", net: "1000.00", later: { refunded: "0.00", recorded: cash.recorded } },
  ]);
  expect(totals).toMatchObject([{ amount: "1000.00", net: "1000.00" }]);
  expect(totals[0]).not.toHaveProperty("given_back");
  await tell({ ...cash, refund_owed: "300.10" });
  await tell({ ...cash, refunded: "300.10" });
  expect(await ofSubscription()).toMatchObject([
    { later: { refunded: "300.10", refund_owed: "0.00", is_reversed: false } },
  ]);
  expect((await listed()).totals).toMatchObject([
    { given_back: { refunded: "300.10", reversed: "0.00", left: "699.90" } },
  ]);
});

test("a recorded payment that was taken back confirms no subscription and is subtracted in the totals", async () => {
  await tell(cash);
  expect(currentPayment(await ofSubscription(), subscription)).toBeDefined();
  await tell({ ...cash, reversed_at: new Date().toISOString() });
  const payments = await ofSubscription();
  expect(payments).toMatchObject([{ amount: "1000.00", later: { is_reversed: true } }]);
  expect(currentPayment(payments, subscription)).toBeUndefined();
  expect((await listed()).totals).toMatchObject([
    { amount: "1000.00", given_back: { refunded: "0.00", reversed: "1000.00", left: "0.00" } },
  ]);
});

test("a checkout payment shows no recording member, and no refund if its refund was refused", async () => {
  await tell(wallet);
  expect(await ofSubscription()).toMatchObject([{ method: "wallet", later: null }]);
  await tell({ ...wallet, refund_owed: "1000.00" });
  await tell(wallet);
  expect(await ofSubscription()).toMatchObject([
    { later: { refunded: "0.00", refund_owed: "0.00", recorded: null } },
  ]);
  expect((await listed()).totals[0]).not.toHaveProperty("given_back");
});

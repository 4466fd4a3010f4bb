import { expect, test } from "vitest";
import { ReceivedCustomer } from "#contract/customers.ts";
import { ReceivedSubscription } from "#contract/subscriptions.ts";
import {
  clientAgain,
  knownDetailsOf,
  detailsToFill,
  existingSubscriptions,
  NO_DETAILS,
} from "./known-details.ts";

const customer = ReceivedCustomer.parse({ id: 7, full_name: "सरस्वती राई" });
const record = (subscription_id: string, over: object) =>
  ReceivedSubscription.parse({ subscription_id, ...over });
const known = (...subscriptions: ReturnType<typeof record>[]) => ({
  customer,
  subscriptions,
  isLooking: false,
});

test("a form is filled from the customer's record, and then from the newest subscription with the missing details", () => {
  const newest = record("b", { client: { full_name: "S. Rai", email: "s@example.com" } });
  const older = record("a", { client: { address: "Lalitpur", email: "old@example.com" } });
  expect(knownDetailsOf(known(newest, older))).toEqual({
    full_name: "सरस्वती राई",
    email: "s@example.com",
    address: "Lalitpur",
  });
  expect(knownDetailsOf(known())).toEqual({ full_name: "सरस्वती राई", email: "", address: "" });
});

test("starting a subscription again fills in the buyer's earlier details, but no incomplete billing details", () => {
  const billing = { business_name: "Rai Stores", email: "b@example.com", address: "Patan" };
  const { client } = record("c", {
    client: { phone: "9800000001", full_name: "S. Rai", billing: { ...billing, pan_vat: "" } },
  });
  expect(clientAgain({ ...client, shipping: null })).toMatchObject({
    phone: "9800000001",
    full_name: "S. Rai",
    billing: { billing_business_name: "Rai Stores", billing_pan_vat: null },
  });
  const partial = { ...billing, email: "", pan_vat: "" };
  expect(clientAgain({ ...client, billing: partial, shipping: null })).not.toHaveProperty(
    "billing",
  );
  const had = { full_name: "Old", email: "old@example.com", address: "Old 1" };
  expect(knownDetailsOf(known(), had)).toEqual({ ...had, full_name: "सरस्वती राई" });
});

test("a customer's known details fill only the empty fields of the form", () => {
  const details = { full_name: "Asha", email: "a@example.com", address: "" };
  const typed = { full_name: "  ", email: "typed@example.com" };
  expect(detailsToFill(details, typed, NO_DETAILS)).toEqual(["full_name"]);
});

test("choosing another customer replaces details that were filled in automatically, but not typed details", () => {
  const first = { full_name: "Asha", email: "a@example.com", address: "Patan" };
  const second = { full_name: "Bimal", email: "", address: "Patan" };
  const changed = { ...first, address: "Typed 7" };
  expect(detailsToFill(second, first, first)).toEqual(["full_name", "email"]);
  expect(detailsToFill(NO_DETAILS, changed, first)).toEqual(["full_name", "email"]);
  expect(detailsToFill(first, { ...first, email: "" }, first)).toEqual([]);
});

test("a buyer's active subscription of the same billing period and unpaid subscription of the same plan are found", () => {
  const product = { product_id: "milk", plan_name: "One litre" };
  const active = record("active", {
    status: "active",
    product: { ...product, pbp_id: "month" },
  });
  const unpaid = record("unpaid", {
    status: "pending_checkout",
    product: { ...product, pbp_id: "year" },
  });
  const found = known(active, unpaid);
  expect(existingSubscriptions(found, { ...product, pbp_id: "month" })).toEqual({
    active,
    waiting: unpaid,
  });
  expect(existingSubscriptions(found, { ...product, pbp_id: "week" })).toEqual({
    active: null,
    waiting: unpaid,
  });
  expect(existingSubscriptions(found, { ...product, plan_name: "Half", pbp_id: "x" })).toEqual({
    active: null,
    waiting: null,
  });
});

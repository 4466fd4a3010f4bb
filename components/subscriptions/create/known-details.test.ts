import { expect, test } from "vitest";
import { ReceivedCustomer } from "#contract/customers.ts";
import { ReceivedSubscription } from "#contract/subscriptions.ts";
import { detailsOf, detailsToFill, inTheWay, NOTHING } from "./known-details.ts";

const customer = ReceivedCustomer.parse({ id: 7, full_name: "सरस्वती राई" });
const record = (subscription_id: string, over: object) =>
  ReceivedSubscription.parse({ subscription_id, ...over });
const known = (...subscriptions: ReturnType<typeof record>[]) => ({
  customer,
  subscriptions,
  isLooking: false,
});

test("details come from the customer, and what is not there from the newest that has it", () => {
  const newest = record("b", { client: { full_name: "S. Rai", email: "s@example.com" } });
  const older = record("a", { client: { address: "Lalitpur", email: "old@example.com" } });
  expect(detailsOf(known(newest, older))).toEqual({
    full_name: "सरस्वती राई",
    email: "s@example.com",
    address: "Lalitpur",
  });
  expect(detailsOf(known())).toEqual({ full_name: "सरस्वती राई", email: "", address: "" });
});

test("only fields that are empty and known are filled", () => {
  const details = { full_name: "Asha", email: "a@example.com", address: "" };
  const typed = { full_name: "  ", email: "typed@example.com" };
  expect(detailsToFill(details, typed, NOTHING)).toEqual(["full_name"]);
});

test("another buyer's details take the place of what was filled in, and none that of nobody's", () => {
  const first = { full_name: "Asha", email: "a@example.com", address: "Patan" };
  const second = { full_name: "Bimal", email: "", address: "Patan" };
  const changed = { ...first, address: "Typed 7" };
  expect(detailsToFill(second, first, first)).toEqual(["full_name", "email"]);
  expect(detailsToFill(NOTHING, changed, first)).toEqual(["full_name", "email"]);
  expect(detailsToFill(first, { ...first, email: "" }, first)).toEqual([]);
});

test("an active one of the same period and an unpaid one of the same plan are met", () => {
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
  expect(inTheWay(found, { ...product, pbp_id: "month" })).toEqual({ active, waiting: unpaid });
  expect(inTheWay(found, { ...product, pbp_id: "week" })).toEqual({
    active: null,
    waiting: unpaid,
  });
  expect(inTheWay(found, { ...product, plan_name: "Half", pbp_id: "x" })).toEqual({
    active: null,
    waiting: null,
  });
});

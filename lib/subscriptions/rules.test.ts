import { expect, test } from "vitest";
import { hasOpenCheckout, isOneTimePurchase, uncountedRows } from "./rules.ts";

const none = { current_period_start: null, current_period_end: null, next_billing_cycle: null };
const some = "2026-11-20T00:00:00Z";

test("a paid record without any period is a one-time purchase", () => {
  expect(isOneTimePurchase({ status: "active", ...none })).toBe(true);
});

test.each([
  { status: "pending_checkout", ...none },
  { status: "cancelled", ...none },
  { status: "active", ...none, next_billing_cycle: some },
  { status: "active", ...none, current_period_end: some },
])("nothing else is: %o", (record) => {
  expect(isOneTimePurchase(record)).toBe(false);
});

test("a checkout is open while there is something to pay", () => {
  const open = ["pending_checkout", "active", "due", "pending_cancellation", "new_word"].filter(
    (status) => hasOpenCheckout({ status }),
  );
  expect(open).toEqual(["pending_checkout", "active", "due"]);
});

test("the rows beyond the counters are counted only when both totals are known", () => {
  expect(uncountedRows({ count: 250, total_subscriptions: 242 })).toBe(8);
  expect(uncountedRows({ count: 242, total_subscriptions: 250 })).toBe(0);
  expect(uncountedRows({ count: null, total_subscriptions: 242 })).toBe(0);
  expect(uncountedRows({ count: 250, total_subscriptions: null })).toBe(0);
});

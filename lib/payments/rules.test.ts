import { expect, test } from "vitest";
import { formatOf, translatorOf } from "#tools/testing/messages.ts";
import type { VerifiedPayment, SubscriptionPayments } from "./queries.ts";
import {
  paymentEvents,
  paidAmount,
  paymentState,
  currentPayment,
  type PaidPeriod,
  type PaymentState,
} from "./rules.ts";

const at = (day: number, hour = 0) => new Date(Date.UTC(2026, 10, day, hour)).toISOString();
const payment = (day: number): VerifiedPayment => ({
  id: "1",
  at: at(day),
  said_at: null,
  subscription_id: "a",
  delivery_id: "msg",
  reference: null,
  received_delivery_id: "1",
  is_renewal: false,
  product_name: null,
  amount: "10.00",
  currency: "NPR",
  fee: "0.20",
  net: "9.80",
  vat: null,
  method: null,
  is_list_price: false,
  known_by: "subscription",
  later: null,
});
const unproven = (verdict: string, day = 9, said_at: string | null = null) => ({
  verdict,
  reason: null,
  at: at(day),
  said_at,
});

const PERIOD = { current_period_start: at(4), current_period_end: at(20) };

test.each<[PaymentState, string, Partial<SubscriptionPayments>, Partial<PaidPeriod>?]>([
  ["proven", "active", { payments: [payment(5)] }],
  ["proven", "active", { payments: [payment(5)], returned_at: at(6) }],
  ["proven", "pending_cancellation", { payments: [payment(5)] }],
  ["proven", "pending_checkout", { payments: [payment(5)], returned_at: at(6) }],
  ["proven", "active", { payments: [payment(5)] }, { current_period_start: null }],
  ["returned", "pending_checkout", { returned_at: at(6) }],
  ["returned", "active", { returned_at: at(6) }],
  ["confirmed", "active", { payments: [{ ...payment(5), received_delivery_id: null }] }],
  ["not_verifying", "active", { verifying_since: null }],
  ["secretless", "active", { verifying_since: null, is_registered: true }],
  ["before_verifying", "active", { verifying_since: at(30) }],
  ["forged", "active", { unproven: unproven("forged") }],
  ["late", "active", { unproven: unproven("late") }],
  ["unverified", "active", { unproven: unproven("unverified") }],
  ["same_body", "active", { unproven: unproven("repeated") }],
  ["none", "active", {}],
  ["not_expected", "pending_checkout", {}],
])("the payment state is %s while the status is %s", (state, status, changes, paid = {}) => {
  expect(stateOf(status, changes, paid)).toBe(state);
});

const RENEWED = { current_period_start: at(20), current_period_end: at(40) };

test.each<[PaymentState, string, Partial<SubscriptionPayments>, Partial<PaidPeriod>]>([
  // After the billing date, an earlier payment does not show that the due period is paid.
  ["unpaid", "due", { payments: [payment(5)] }, PERIOD],
  ["unpaid", "due", { payments: [payment(5)], unproven: unproven("forged") }, PERIOD],
  ["forged", "due", { payments: [payment(5)], unproven: unproven("forged", 21) }, PERIOD],
  ["returned", "due", { payments: [payment(5)], returned_at: at(21) }, PERIOD],
  ["unpaid", "due", { payments: [payment(5)], returned_at: at(6) }, PERIOD],
  ["proven", "due", { payments: [payment(21), payment(5)], returned_at: at(21) }, PERIOD],
  // Each renewal needs its own payment.
  ["none", "active", { payments: [payment(5)] }, RENEWED],
  ["late", "active", { payments: [payment(5)], unproven: unproven("late", 21) }, RENEWED],
  ["none", "active", { payments: [payment(5)], unproven: unproven("late", 6) }, RENEWED],
  ["proven", "active", { payments: [payment(21), payment(5)] }, RENEWED],
  // An ended subscription expects no payment.
  ["not_expected", "inactive", { payments: [payment(5)] }, PERIOD],
  ["not_expected", "cancelled", { payments: [payment(5)], returned_at: at(6) }, PERIOD],
  ["proven", "inactive", { payments: [payment(21)] }, PERIOD],
])(
  "the payment state is %s while the status is %s, with payments of the previous period",
  (state, status, changes, paid) => {
    expect(stateOf(status, changes, paid)).toBe(state);
  },
);

test("the time that a payment's delivery states decides which period it pays, not the time of arrival", () => {
  const ahead = { ...payment(5), said_at: at(21) };
  expect(stateOf("active", { payments: [ahead] }, RENEWED)).toBe("proven");
  expect(stateOf("active", { unproven: unproven("late", 5, at(21)) }, RENEWED)).toBe("late");
  expect(stateOf("due", { unproven: unproven("forged", 5, at(21)) }, PERIOD)).toBe("forged");
  const behind = { ...payment(30), said_at: at(5) };
  expect(stateOf("active", { payments: [behind] }, RENEWED)).toBe("none");
});

test("a payment confirms its own billing period, whatever the order of arrival", () => {
  const paid = { ...payment(21), said_at: at(21) };
  const earlier = { ...payment(22), said_at: at(5) };
  expect(stateOf("active", { payments: [earlier, paid] }, RENEWED)).toBe("proven");
  expect(currentPayment([earlier, paid], { status: "active", ...RENEWED })).toBe(paid);
});

test("a payment slightly before the start of a billing period still confirms that period", () => {
  const from = (hour: number) => ({ ...PERIOD, current_period_start: at(5, hour) });
  expect(stateOf("active", { payments: [payment(5)] }, from(1))).toBe("proven");
  expect(stateOf("active", { payments: [payment(5)] }, from(2))).toBe("none");
});

function stateOf(
  status: string,
  changes: Partial<SubscriptionPayments>,
  paid: Partial<PaidPeriod>,
) {
  const found: SubscriptionPayments = {
    payments: [],
    failures: [],
    is_registered: false,
    returned_at: null,
    returned_ago: null,
    verifying_since: at(0),
    unproven: null,
    ...changes,
  };
  return paymentState(found, { status, ...PERIOD, ...paid });
}

test("a paid amount is marked as a list price only if it is known to be one", () => {
  const of = (changes: Partial<VerifiedPayment>) => {
    const paid = paidAmount({ ...payment(1), ...changes });
    return paid && formatOf().toPay(paid);
  };
  expect(of({ is_list_price: true })).toBe("NPR 10.00 list price");
  expect(of({ is_list_price: false })).toBe("NPR 10.00");
  expect(of({ is_list_price: null })).toBe("NPR 10.00");
  expect(of({ amount: null, is_list_price: null })).toBeNull();
});

test("the history describes first payments, renewals, failures and returns of the buyer", () => {
  const t = translatorOf("subscription");
  const payments = [
    { ...payment(25), is_renewal: true },
    { ...payment(15), is_renewal: null },
    payment(5),
  ];
  const happened = paymentEvents({ payments, failures: [at(20)], returned_at: at(6) });
  expect(
    happened.map((one) => [one.at, t(`history.${one.what}`), one.payment?.amount ?? null]),
  ).toEqual([
    [at(25), "Renewed: paid", "10.00"],
    [at(15), "Paid", "10.00"],
    [at(5), "First payment", "10.00"],
    [at(20), "A payment failed", null],
    [at(6), "The buyer came back from the checkout", null],
  ]);
});

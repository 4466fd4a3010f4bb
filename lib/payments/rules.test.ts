import { expect, test } from "vitest";
import { formatOf, words } from "#scripts/testing/words.ts";
import type { Proof, SubscriptionProofs } from "./queries.ts";
import {
  happenedTo,
  paidOf,
  proofState,
  provingOf,
  type Paid,
  type ProofState,
} from "./rules.ts";

const at = (day: number, hour = 0) => new Date(Date.UTC(2026, 10, day, hour)).toISOString();
const proof = (day: number): Proof => ({
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
});
const unproven = (verdict: string, day = 9, said_at: string | null = null) => ({
  verdict,
  reason: null,
  at: at(day),
  said_at,
});

const PERIOD = { current_period_start: at(4), current_period_end: at(20) };

test.each<[ProofState, string, Partial<SubscriptionProofs>, Partial<Paid>?]>([
  ["proven", "active", { proofs: [proof(5)] }],
  ["proven", "active", { proofs: [proof(5)], returned_at: at(6) }],
  ["proven", "pending_cancellation", { proofs: [proof(5)] }],
  ["proven", "pending_checkout", { proofs: [proof(5)], returned_at: at(6) }],
  ["proven", "active", { proofs: [proof(5)] }, { current_period_start: null }],
  ["returned", "pending_checkout", { returned_at: at(6) }],
  ["returned", "active", { returned_at: at(6) }],
  ["confirmed", "active", { proofs: [{ ...proof(5), received_delivery_id: null }] }],
  ["not_verifying", "active", { verifying_since: null }],
  ["secretless", "active", { verifying_since: null, is_registered: true }],
  ["before_verifying", "active", { verifying_since: at(30) }],
  ["forged", "active", { unproven: unproven("forged") }],
  ["late", "active", { unproven: unproven("late") }],
  ["unverified", "active", { unproven: unproven("unverified") }],
  ["same_body", "active", { unproven: unproven("repeated") }],
  ["none", "active", {}],
  ["not_expected", "pending_checkout", {}],
])("%s while it is %s", (state, status, changes, paid = {}) => {
  expect(stateOf(status, changes, paid)).toBe(state);
});

const RENEWED = { current_period_start: at(20), current_period_end: at(40) };

test.each<[ProofState, string, Partial<SubscriptionProofs>, Partial<Paid>]>([
  // The billing date has passed: what was proven before it proves nothing of what is due now.
  ["unpaid", "due", { proofs: [proof(5)] }, PERIOD],
  ["unpaid", "due", { proofs: [proof(5)], unproven: unproven("forged") }, PERIOD],
  ["forged", "due", { proofs: [proof(5)], unproven: unproven("forged", 21) }, PERIOD],
  ["returned", "due", { proofs: [proof(5)], returned_at: at(21) }, PERIOD],
  ["unpaid", "due", { proofs: [proof(5)], returned_at: at(6) }, PERIOD],
  ["proven", "due", { proofs: [proof(21), proof(5)], returned_at: at(21) }, PERIOD],
  // A renewal needs a proof of its own.
  ["none", "active", { proofs: [proof(5)] }, RENEWED],
  ["late", "active", { proofs: [proof(5)], unproven: unproven("late", 21) }, RENEWED],
  ["none", "active", { proofs: [proof(5)], unproven: unproven("late", 6) }, RENEWED],
  ["proven", "active", { proofs: [proof(21), proof(5)] }, RENEWED],
  // It ended: nothing is paid for it any more, whatever was once.
  ["not_expected", "inactive", { proofs: [proof(5)] }, PERIOD],
  ["not_expected", "cancelled", { proofs: [proof(5)], returned_at: at(6) }, PERIOD],
  ["proven", "inactive", { proofs: [proof(21)] }, PERIOD],
])("%s while it is %s, with proofs of the period before", (state, status, changes, paid) => {
  expect(stateOf(status, changes, paid)).toBe(state);
});

test("the sender's clock counts, where a delivery says it: a sandbox's runs ahead", () => {
  const ahead = { ...proof(5), said_at: at(21) };
  expect(stateOf("active", { proofs: [ahead] }, RENEWED)).toBe("proven");
  expect(stateOf("active", { unproven: unproven("late", 5, at(21)) }, RENEWED)).toBe("late");
  expect(stateOf("due", { unproven: unproven("forged", 5, at(21)) }, PERIOD)).toBe("forged");
  const behind = { ...proof(30), said_at: at(5) };
  expect(stateOf("active", { proofs: [behind] }, RENEWED)).toBe("none");
});

test("a proof counts for its period, whichever came last", () => {
  const paid = { ...proof(21), said_at: at(21) };
  const earlier = { ...proof(22), said_at: at(5) };
  expect(stateOf("active", { proofs: [earlier, paid] }, RENEWED)).toBe("proven");
  expect(provingOf([earlier, paid], { status: "active", ...RENEWED })).toBe(paid);
});

test("a clock that is a little off makes a payment not one of the period before", () => {
  const from = (hour: number) => ({ ...PERIOD, current_period_start: at(5, hour) });
  expect(stateOf("active", { proofs: [proof(5)] }, from(1))).toBe("proven");
  expect(stateOf("active", { proofs: [proof(5)] }, from(2))).toBe("none");
});

function stateOf(status: string, changes: Partial<SubscriptionProofs>, paid: Partial<Paid>) {
  const found: SubscriptionProofs = {
    proofs: [],
    failures: [],
    is_registered: false,
    returned_at: null,
    returned_ago: null,
    verifying_since: at(0),
    unproven: null,
    ...changes,
  };
  return proofState(found, { status, ...PERIOD, ...paid });
}

test("an amount is called the list price only where that is known of it", () => {
  const of = (changes: Partial<Proof>) => {
    const paid = paidOf({ ...proof(1), ...changes });
    return paid && formatOf().toPay(paid);
  };
  expect(of({ is_list_price: true })).toBe("NPR 10.00 list price");
  expect(of({ is_list_price: false })).toBe("NPR 10.00");
  expect(of({ is_list_price: null })).toBe("NPR 10.00");
  expect(of({ amount: null, is_list_price: null })).toBeNull();
});

test("first payments, renewals and failures stand in the history, in words", () => {
  const t = words("record");
  const proofs = [
    { ...proof(25), is_renewal: true },
    { ...proof(15), is_renewal: null },
    proof(5),
  ];
  const happened = happenedTo({ proofs, failures: [at(20)], returned_at: at(6) });
  expect(
    happened.map((one) => [one.at, t(`history.${one.what}`), one.proof?.amount ?? null]),
  ).toEqual([
    [at(25), "Renewed: paid", "10.00"],
    [at(15), "Paid", "10.00"],
    [at(5), "Paid for the first time", "10.00"],
    [at(20), "A payment failed", null],
    [at(6), "The buyer came back from the checkout", null],
  ]);
});

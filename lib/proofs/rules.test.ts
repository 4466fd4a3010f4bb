import { expect, test } from "vitest";
import type { Proof, SubscriptionProofs } from "./queries.ts";
import { proofState, type ProofState } from "./rules.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 4, minute)).toISOString();
const proof = (minute: number): Proof => ({
  id: "1",
  at: at(minute),
  subscription_id: "a",
  delivery_id: "msg",
  received_delivery_id: "1",
  product_name: null,
  amount: "10.00",
  currency: "NPR",
  fee: "0.20",
  net: "9.80",
  known_by: "subscription",
});
const unproven = (verdict: string) => ({ verdict, reason: null, at: at(9) });

test.each<[ProofState, string, Partial<SubscriptionProofs>]>([
  ["proven", "active", { proofs: [proof(5)] }],
  ["proven", "active", { proofs: [proof(5)], returned_at: at(6) }],
  ["proven", "due", { proofs: [proof(5)], unproven: unproven("forged") }],
  ["returned", "pending_checkout", { returned_at: at(6) }],
  ["returned", "active", { returned_at: at(6) }],
  ["returned", "pending_checkout", { proofs: [proof(5)], returned_at: at(6) }],
  ["not_verifying", "active", { verifying_since: null }],
  ["before_verifying", "active", { verifying_since: at(30) }],
  ["forged", "active", { unproven: unproven("forged") }],
  ["late", "active", { unproven: unproven("late") }],
  ["unverified", "due", { unproven: unproven("unverified") }],
  ["none", "active", {}],
  ["not_expected", "pending_checkout", {}],
  ["not_expected", "inactive", { unproven: unproven("forged") }],
])("%s while it is %s", (state, status, changes) => {
  const found: SubscriptionProofs = {
    proofs: [],
    returned_at: null,
    returned_ago: null,
    verifying_since: at(0),
    unproven: null,
    ...changes,
  };
  expect(proofState(found, status, at(10))).toBe(state);
});

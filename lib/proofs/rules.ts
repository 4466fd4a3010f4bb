import type { SubscriptionProofs } from "./queries.ts";

/**
 * What is to be said of a subscription's payment. `returned`: the buyer came back after all that is
 * proven. The others say why nothing is proven.
 */
export type ProofState =
  | "proven"
  | "returned"
  | "not_verifying"
  | "before_verifying"
  | "forged"
  | "late"
  | "unverified"
  | "none"
  | "not_expected";

/** Statuses that only a payment leads to. */
const PAID = new Set(["active", "due", "pending_cancellation"]);

/** @param paid_at since when its status says so, ISO; null where that is not known */
export function proofState(
  { proofs, returned_at, verifying_since, unproven }: SubscriptionProofs,
  status: string,
  paid_at: string | null,
): ProofState {
  const [newest] = proofs;
  const isBack =
    returned_at !== null && (!newest || Date.parse(returned_at) > Date.parse(newest.at));
  // A buyer can come back a moment after the delivery came, and look at the page again much later.
  if (newest && !(isBack && status === "pending_checkout")) return "proven";
  if (isBack) return "returned";
  if (!PAID.has(status)) return "not_expected";
  if (verifying_since === null) return "not_verifying";
  if (unproven?.verdict === "forged") return "forged";
  if (unproven?.verdict === "late") return "late";
  if (unproven?.verdict === "unverified") return "unverified";
  if (paid_at !== null && Date.parse(paid_at) < Date.parse(verifying_since))
    return "before_verifying";
  return "none";
}

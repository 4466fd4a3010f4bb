import { hasEnded } from "#lib/money/ended.ts";
import type { ToPay } from "#lib/money/price.ts";
import type { Proof, SubscriptionProofs } from "./queries.ts";

/**
 * What is to be said of a subscription's payment. `confirmed`: the service's record shows it and no
 * delivery told of it. `returned`: the buyer came back after all that is known. The others say why nothing
 * is known.
 */
export type ProofState =
  | "proven"
  | "confirmed"
  | "returned"
  | "unpaid"
  | "not_verifying"
  | "secretless"
  | "before_verifying"
  | "forged"
  | "late"
  | "unverified"
  | "same_body"
  | "none"
  | "not_expected";

/** What of a subscription says which payment is asked for; both dates are ISO. */
export interface Paid {
  status: string;
  current_period_start: string | null;
  current_period_end: string | null;
}

/** Statuses that only a payment leads to. */
const PAID = new Set(["active", "pending_cancellation"]);
export const isPaidStatus = (status: string) => PAID.has(status);
/** How far the clocks of the sender, the service and this dashboard may be apart. */
const CLOCKS_MS = 60 * 60 * 1_000;

const UNPROVEN: Record<string, ProofState> = {
  forged: "forged",
  late: "late",
  unverified: "unverified",
  repeated: "same_body",
};

/** Whether the payment of the period that runs, or that is due, is proven. */
export function proofState(
  { proofs, returned_at, verifying_since, is_registered, unproven }: SubscriptionProofs,
  paid: Paid,
): ProofState {
  const { status } = paid;
  const since = askedSince(paid);
  const proving = provingOf(proofs, paid);
  if (proving) return proving.received_delivery_id === null ? "confirmed" : "proven";
  const isOf = (at: string) => Date.parse(at) + CLOCKS_MS >= since;
  if (returned_at !== null && isOf(returned_at)) return "returned";
  const isUnproven = unproven !== null && momentOf(unproven) + CLOCKS_MS >= since;
  const why = isUnproven ? UNPROVEN[unproven.verdict] : undefined;
  if (status === "due") return why ?? "unpaid";
  if (!PAID.has(status)) return "not_expected";
  if (verifying_since === null) return is_registered ? "secretless" : "not_verifying";
  if (why) return why;
  const { current_period_start: start } = paid;
  if (start !== null && Date.parse(start) < Date.parse(verifying_since))
    return "before_verifying";
  return "none";
}

/** What happened to it, as its history names that. */
export interface Happening {
  at: string;
  what: "first" | "renewed" | "paid" | "failed" | "cameBack";
  /** Of a payment alone. */
  proof: Proof | null;
}

export function happenedTo({
  proofs,
  failures,
  returned_at,
}: Pick<SubscriptionProofs, "proofs" | "failures" | "returned_at">): Happening[] {
  const told = (what: "failed" | "cameBack") => (at: string) => ({ at, what, proof: null });
  return [
    ...proofs.map((proof) => ({ at: proof.at, what: nameOf(proof), proof })),
    ...failures.map(told("failed")),
    ...(returned_at === null ? [] : [returned_at]).map(told("cameBack")),
  ];
}

const nameOf = ({ is_renewal }: Proof): Happening["what"] =>
  is_renewal === null ? "paid" : is_renewal ? "renewed" : "first";

/** The newest that proves what is asked for now; one of before may have been verified later. */
export function provingOf(proofs: readonly Proof[], paid: Paid): Proof | undefined {
  const since = askedSince(paid);
  return proofs.find((proof) => momentOf(proof) + CLOCKS_MS >= since);
}

/** What came, called the list price where nothing else was known; null where nobody knows it. */
export const paidOf = ({ amount, currency, is_list_price }: Proof): ToPay | null =>
  amount === null
    ? null
    : { amount, currency: currency ?? "", is_list_price: is_list_price === true };

/** From when on a payment is one of what is asked for now. */
function askedSince({ status, current_period_start, current_period_end }: Paid): number {
  const isOver = status === "due" || hasEnded(status);
  // Of one that is over, nobody can say which payment was the last that was asked for.
  if (isOver) return moment(current_period_end) ?? Number.POSITIVE_INFINITY;
  return moment(current_period_start) ?? Number.NEGATIVE_INFINITY;
}

/** By the clock of whoever sold it, as far as it is known: a sandbox's runs ahead of this one. */
const momentOf = ({ at, said_at }: Pick<Proof, "at" | "said_at">): number =>
  Date.parse(said_at ?? at);

function moment(iso: string | null): number | null {
  const at = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(at) ? null : at;
}

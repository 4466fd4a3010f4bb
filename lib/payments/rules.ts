import { hasEnded } from "#lib/money/ended.ts";
import type { ToPay } from "#lib/format/format.ts";
import type { VerifiedPayment, SubscriptionPayments } from "./queries.ts";

/**
 * What is to be said of a subscription's payment. `confirmed`: the service's record shows it and no
 * delivery told of it. `returned`: the buyer came back after all that is known. The others say why nothing
 * is known.
 */
export type PaymentState =
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
export interface PaidPeriod {
  status: string;
  current_period_start: string | null;
  current_period_end: string | null;
}

/** Statuses that only a payment leads to. */
const PAID = new Set(["active", "pending_cancellation"]);
export const isPaidStatus = (status: string) => PAID.has(status);
/** How far the clocks of the sender, the service and this dashboard may be apart. */
const CLOCKS_MS = 60 * 60 * 1_000;

const UNPROVEN: Record<string, PaymentState> = {
  forged: "forged",
  late: "late",
  unverified: "unverified",
  repeated: "same_body",
};

/** Whether the payment of the period that runs, or that is due, is proven. */
export function paymentState(
  { payments, returned_at, verifying_since, is_registered, unproven }: SubscriptionPayments,
  paid: PaidPeriod,
): PaymentState {
  const { status } = paid;
  const since = askedSince(paid);
  const proving = currentPayment(payments, paid);
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
export interface PaymentEvent {
  at: string;
  what: "first" | "renewed" | "paid" | "failed" | "cameBack";
  /** Of a payment alone. */
  payment: VerifiedPayment | null;
}

export function paymentEvents({
  payments,
  failures,
  returned_at,
}: Pick<SubscriptionPayments, "payments" | "failures" | "returned_at">): PaymentEvent[] {
  const told = (what: "failed" | "cameBack") => (at: string) => ({ at, what, payment: null });
  return [
    ...payments.map((payment) => ({ at: payment.at, what: nameOf(payment), payment })),
    ...failures.map(told("failed")),
    ...(returned_at === null ? [] : [returned_at]).map(told("cameBack")),
  ];
}

const nameOf = ({ is_renewal }: VerifiedPayment): PaymentEvent["what"] =>
  is_renewal === null ? "paid" : is_renewal ? "renewed" : "first";

/** The newest that proves what is asked for now; one of before may have been verified later. */
export function currentPayment(
  payments: readonly VerifiedPayment[],
  paid: PaidPeriod,
): VerifiedPayment | undefined {
  const since = askedSince(paid);
  return payments.find((payment) => momentOf(payment) + CLOCKS_MS >= since);
}

/** What came, called the list price where nothing else was known; null where nobody knows it. */
export const paidAmount = ({
  amount,
  currency,
  is_list_price,
}: VerifiedPayment): ToPay | null =>
  amount === null
    ? null
    : { amount, currency: currency ?? "", is_list_price: is_list_price === true };

/** From when on a payment is one of what is asked for now. */
function askedSince({ status, current_period_start, current_period_end }: PaidPeriod): number {
  const isOver = status === "due" || hasEnded(status);
  // Of one that is over, nobody can say which payment was the last that was asked for.
  if (isOver) return moment(current_period_end) ?? Number.POSITIVE_INFINITY;
  return moment(current_period_start) ?? Number.NEGATIVE_INFINITY;
}

/** By the clock of whoever sold it, as far as it is known: a sandbox's runs ahead of this one. */
const momentOf = ({ at, said_at }: Pick<VerifiedPayment, "at" | "said_at">): number =>
  Date.parse(said_at ?? at);

function moment(iso: string | null): number | null {
  const at = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(at) ? null : at;
}

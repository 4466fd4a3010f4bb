import { hasEnded } from "#lib/money/payable.ts";
import type { ToPay } from "#lib/format/format.ts";
import type { VerifiedPayment, SubscriptionPayments } from "./queries.ts";

/**
 * State of a subscription's payment. `proven`: a verified delivery reports it. `confirmed`: only the
 * API's record shows it. `returned`: the buyer returned from the checkout in this period, but no
 * payment is known. The others say why nothing is known.
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

/** The period whose payment is expected; both dates are ISO. */
export interface PaidPeriod {
  status: string;
  current_period_start: string | null;
  current_period_end: string | null;
}

/** The key among the texts for `paidWith`; there, `other` is every unknown method. */
export const paidWithWord = (method: string) => (method === "other" ? "another" : method);

/** Statuses that follow a payment. */
const PAID = new Set(["active", "pending_cancellation"]);
export const isPaidStatus = (status: string) => PAID.has(status);
/** Tolerated difference between the clocks of sender, service and dashboard. */
const CLOCKS_MS = 60 * 60 * 1_000;

const UNPROVEN: Record<string, PaymentState> = {
  forged: "forged",
  late: "late",
  unverified: "unverified",
  repeated: "same_body",
};

/** Whether the current or due period's payment is verified. */
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

/** An event of the payment's history. */
export interface PaymentEvent {
  at: string;
  what: "first" | "renewed" | "paid" | "failed" | "cameBack";
  /** The payment of a payment event; null for other events. */
  payment: VerifiedPayment | null;
}

export function paymentEvents({
  payments,
  failures,
  returned_at,
}: Pick<SubscriptionPayments, "payments" | "failures" | "returned_at">): PaymentEvent[] {
  return [
    ...payments.map((payment) => ({ at: payment.at, what: nameOf(payment), payment })),
    ...failures.map((at) => ({ at, what: "failed" as const, payment: null })),
    ...(returned_at === null
      ? []
      : [{ at: returned_at, what: "cameBack" as const, payment: null }]),
  ];
}

const nameOf = ({ is_renewal }: VerifiedPayment): PaymentEvent["what"] =>
  is_renewal === null ? "paid" : is_renewal ? "renewed" : "first";

/**
 * The newest payment of the expected period that was not reversed; a payment of an older period may be
 * verified later than it.
 */
export function currentPayment(
  payments: readonly VerifiedPayment[],
  paid: PaidPeriod,
): VerifiedPayment | undefined {
  const since = askedSince(paid);
  return payments.find(
    (payment) => !payment.later?.is_reversed && momentOf(payment) + CLOCKS_MS >= since,
  );
}

/** The paid amount, marked if only the list price is known; null if unknown. */
export const paidAmount = ({
  amount,
  currency,
  is_list_price,
}: VerifiedPayment): ToPay | null =>
  amount === null
    ? null
    : { amount, currency: currency ?? "", is_list_price: is_list_price === true };

/** The time from which payments count for the expected period. */
function askedSince({ status, current_period_start, current_period_end }: PaidPeriod): number {
  const isOver = status === "due" || hasEnded(status);
  // For an ended subscription the last expected payment is unknown.
  if (isOver) return moment(current_period_end) ?? Number.POSITIVE_INFINITY;
  return moment(current_period_start) ?? Number.NEGATIVE_INFINITY;
}

/** The payment time by the sender's clock if known, because a sandbox's clock can be ahead. */
const momentOf = ({ at, said_at }: Pick<VerifiedPayment, "at" | "said_at">): number =>
  Date.parse(said_at ?? at);

function moment(iso: string | null): number | null {
  const at = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(at) ? null : at;
}

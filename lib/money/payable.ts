import type { ReceivedStatus, Subscription } from "#contract/subscriptions.ts";

export type BillingDates = Pick<
  Subscription,
  "status" | "current_period_start" | "current_period_end" | "next_billing_cycle"
>;

/**
 * The specification does not say how one-time purchases are marked: a paid record without dates
 * counts as one, as in is_one_time (migration 0063). It is a guess.
 */
export const isOneTimePurchase = (subscription: BillingDates): boolean =>
  subscription.status === "active" &&
  subscription.current_period_start === null &&
  subscription.current_period_end === null &&
  subscription.next_billing_cycle === null;

export const hasOpenCheckout = ({ status }: { status: ReceivedStatus }): boolean =>
  status === "pending_checkout" || status === "active" || status === "due";

export const isPayable = (subscription: BillingDates): boolean =>
  hasOpenCheckout(subscription) && !isOneTimePurchase(subscription);

const ENDED = new Set<string>(["cancelled", "inactive"]);

export const hasEnded = (status: string) => ENDED.has(status);

/** The next billing date; null for ended subscriptions, whatever the record says. */
export const nextBilling = ({
  status,
  next_billing_cycle,
}: Pick<Subscription, "status" | "next_billing_cycle">): string | null =>
  hasEnded(status) ? null : next_billing_cycle;

/** What was given back of an amount, and what is left, as decimal texts. */
export interface GivenBack {
  /** Given back to buyers. */
  refunded: string;
  /** The sum of recorded payments that were reversed. */
  reversed: string;
  /** The net amount less the refunds and the net amounts of reversed payments. */
  left: string;
}

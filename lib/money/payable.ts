import type { ReceivedStatus, Subscription } from "#contract/subscriptions.ts";

/** How far a record is paid for. */
export type Periods = Pick<
  Subscription,
  "status" | "current_period_start" | "current_period_end" | "next_billing_cycle"
>;

/**
 * The specification does not say how a one-time purchase is marked: a paid record without any date is
 * taken for one, and is_one_time (migration 0063) says the same of a copied one. Only the service knows:
 * nothing is locked by it.
 */
export function isOneTimePurchase(subscription: Periods): boolean {
  return (
    subscription.status === "active" &&
    subscription.current_period_start === null &&
    subscription.current_period_end === null &&
    subscription.next_billing_cycle === null
  );
}

/** A buyer can still pay something at this record's checkout. */
export function hasOpenCheckout({ status }: { status: ReceivedStatus }): boolean {
  return status === "pending_checkout" || status === "active" || status === "due";
}

/** Something is left to pay: its checkout is open, and it is not paid once and for all. */
export const isPayable = (subscription: Periods): boolean =>
  hasOpenCheckout(subscription) && !isOneTimePurchase(subscription);

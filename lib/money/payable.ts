import type { ReceivedStatus, Subscription } from "#contract/subscriptions.ts";

/** What tells how far a subscription is paid. */
export type Periods = Pick<
  Subscription,
  "status" | "current_period_start" | "current_period_end" | "next_billing_cycle"
>;

/**
 * The specification does not say how one-time purchases are marked: a paid record without dates
 * counts as one, as is_one_time (migration 0063) says too. It is a guess, so nothing is locked by it.
 */
export function isOneTimePurchase(subscription: Periods): boolean {
  return (
    subscription.status === "active" &&
    subscription.current_period_start === null &&
    subscription.current_period_end === null &&
    subscription.next_billing_cycle === null
  );
}

/** Whether the checkout is open. */
export function hasOpenCheckout({ status }: { status: ReceivedStatus }): boolean {
  return status === "pending_checkout" || status === "active" || status === "due";
}

/** Whether the checkout is open and not a paid one-time purchase. */
export const isPayable = (subscription: Periods): boolean =>
  hasOpenCheckout(subscription) && !isOneTimePurchase(subscription);

const ENDED = new Set<string>(["cancelled", "inactive"]);

export const hasEnded = (status: string) => ENDED.has(status);

/** The next billing date; ended subscriptions have none, whatever the record says. */
export const nextBilling = ({
  status,
  next_billing_cycle,
}: Pick<Subscription, "status" | "next_billing_cycle">): string | null =>
  hasEnded(status) ? null : next_billing_cycle;

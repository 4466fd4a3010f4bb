import type {
  ReceivedStatus,
  Subscription,
  SubscriptionPage,
} from "#contract/subscriptions.ts";

type Periods = Pick<
  Subscription,
  "status" | "current_period_start" | "current_period_end" | "next_billing_cycle"
>;

/**
 * The specification does not say how a one-time purchase is marked. A paid record without any
 * period can be nothing else.
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

/** How many rows the unfiltered list holds beyond the counters: the one-time purchases. */
export function uncountedRows(page: Pick<SubscriptionPage, "count" | "total_subscriptions">) {
  const { count, total_subscriptions } = page;
  return count === null || total_subscriptions === null
    ? 0
    : Math.max(0, count - total_subscriptions);
}

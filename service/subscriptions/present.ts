import type { Subscription } from "#contract/subscriptions.ts";
import type { OutcomeLog } from "./list-store.ts";
import type { SubscriptionRow } from "./store.ts";

export function presentSubscription(row: SubscriptionRow): Subscription {
  const billingCycle = row.next_billing_cycle?.toISOString() ?? null;
  return {
    subscription_id: row.subscription_id,
    status: row.status,
    is_active: row.status === "active",
    client: {
      phone: row.phone,
      full_name: row.full_name,
      email: row.email,
      address: row.address,
      billing: row.billing,
      shipping: row.shipping,
    },
    product: {
      product_id: row.product_id,
      name: row.product_name,
      plan_name: row.plan_name,
      pbp_id: row.pbp_id,
      label: row.label,
      price: row.price,
      currency: row.currency,
    },
    current_period_start: row.current_period_start?.toISOString() ?? null,
    // Spec, Subscription: the period's end equals the billing cycle date.
    current_period_end: billingCycle,
    next_billing_cycle: billingCycle,
    created_at: row.created_at.toISOString(),
  };
}

/** Spec, Pagination: recurring only, and never narrowed by the status filter (spec choice, counters). */
export function presentCounters(tallies: OutcomeLog[]) {
  const recurring = (matches: (status: string) => boolean) =>
    tallies
      .filter((tally) => !tally.is_one_time && matches(tally.status))
      .reduce((sum, tally) => sum + tally.rows, 0);
  return {
    total_subscriptions: recurring(() => true),
    active_subscriptions: recurring((status) => status === "active"),
    due_subscriptions: recurring((status) => status === "due"),
    inactive_subscriptions: recurring((status) => status === "inactive"),
  };
}

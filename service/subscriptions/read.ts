import type { Subscription, SubscriptionStatus } from "#contract/subscriptions.ts";
import type { Database } from "../db/database.ts";
import { notFoundError } from "../http/errors.ts";
import { isUuid } from "../http/ids.ts";
import type { Paging } from "../http/pagination.ts";
import { selectSubscriptionPage, type StatusTally } from "./list-store.ts";
import { selectSubscription, type SubscriptionRow } from "./store.ts";

/** @throws 404 for an unknown or malformed id, and for another seller's */
export async function getSubscription(
  database: Database,
  sellerId: number,
  subscriptionId: string,
): Promise<Subscription> {
  const row = isUuid(subscriptionId)
    ? await selectSubscription(database, sellerId, subscriptionId)
    : null;
  if (!row) throw notFoundError();
  return presentSubscription(row);
}

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
function presentCounters(tallies: StatusTally[]) {
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

export async function listSubscriptions(
  database: Database,
  sellerId: number,
  status: SubscriptionStatus | undefined,
  paging: Paging,
) {
  const { tallies, rows } = await selectSubscriptionPage(database, sellerId, paging, status);
  const count = tallies
    .filter((tally) => status === undefined || tally.status === status)
    .reduce((sum, tally) => sum + tally.rows, 0);
  return { count, results: rows.map(presentSubscription), counters: presentCounters(tallies) };
}

import "server-only";
import type { Subscription } from "#contract/subscriptions.ts";
import { requireSeller, type SignedIn } from "#lib/auth/require-seller.ts";
import type { Scope } from "#lib/auth/scope.ts";
import { readCheckoutBase } from "#lib/billing/checkout-base.ts";
import { checkoutLink } from "#lib/billing/checkout-link.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { lookedOf, walkPages } from "#lib/billing/walk-pages.ts";
import { database } from "#lib/db/pool.ts";
import { checkoutUrl } from "#lib/env.ts";
import type { DueSubscriptions, EndingSoon, WaitingCheckouts } from "./queries.ts";
import { billsSoon, byBillingDate } from "./rules.ts";

/** Rows of a panel. */
const SHOWN = 6;
/** Pages, of 100, that are looked through for one. */
const MOST_PAGES = { due: 3, pending_cancellation: 2, active: 5 } as const;

/** Longest overdue first, as far as that can be told: the service sorts by creation. */
export async function listDue(scope: Scope): Promise<DueSubscriptions> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  const { rows, looked } = await look(signedIn.billing, "due");
  const records = await withLinks(signedIn, byBillingDate(rows).slice(0, SHOWN));
  return { records, ...looked };
}

/** What stops by itself, and what bills within the week. */
export async function listEndingSoon(scope: Scope): Promise<EndingSoon> {
  const { billing, seller, now } = await requireSeller(scope, "subscriptions:read");
  const [ending, active] = await Promise.all([
    look(billing, "pending_cancellation"),
    look(billing, "active"),
  ]);
  const billing_soon = active.rows.filter((row) => billsSoon(row, seller.time_zone, now));
  const all = byBillingDate([...ending.rows, ...billing_soon]);
  return {
    subscriptions: all.slice(0, SHOWN),
    more: Math.max(0, all.length - SHOWN),
    active: active.looked,
  };
}

/** The newest ones, each with the link that its buyer has not used yet. */
export async function listWaiting(scope: Scope): Promise<WaitingCheckouts> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  const search = { status: "pending_checkout", page: 1, page_size: SHOWN };
  const { results, count } = await signedIn.billing.listSubscriptions(search);
  return { records: await withLinks(signedIn, results.slice(0, SHOWN)), total: count };
}

/** The list names no links; the seller's checkout address makes them. */
async function withLinks({ owner, scope }: SignedIn, subscriptions: Subscription[]) {
  const base = (await readCheckoutBase(database(), owner)) ?? checkoutUrl(scope.mode);
  return subscriptions.map((subscription) => ({
    subscription,
    checkout_url: checkoutLink(base, subscription.subscription_id),
  }));
}

async function look(billing: BillingClient, status: keyof typeof MOST_PAGES) {
  const walk = await walkPages((page) => billing.listSubscriptions({ ...page, status }), {
    most: MOST_PAGES[status],
  });
  const rows = [...new Map(walk.rows.map((row) => [row.subscription_id, row])).values()];
  return { rows, looked: lookedOf(walk) };
}

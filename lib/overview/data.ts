import "server-only";
import type pg from "pg";
import type { Subscription } from "#contract/subscriptions.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { readCheckoutBase } from "#lib/billing/checkout-base.ts";
import { checkoutLink } from "#lib/billing/checkout-link.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { serviceNow } from "#lib/billing/service-clock.ts";
import { lookedOf, walkPages } from "#lib/billing/walk-pages.ts";
import { addDays } from "#lib/format/calendar.ts";
import { database } from "#lib/db/pool.ts";
import { readMuch } from "#lib/db/replica.ts";
import { checkoutUrl } from "#lib/env.ts";
import { calendarDay } from "#lib/format/format.ts";
import { readIndexStatus } from "#lib/search-index/query/index-status.ts";
import { findRows, type RowQuery } from "#lib/search-index/query/find-rows.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import type { DueSubscriptions, EndingSoon, WaitingCheckouts } from "./queries.ts";
import { billsSoon, byBillingDate, DAYS_AHEAD } from "./rules.ts";

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

/** What stops by itself, and what bills within the week: out of the copy, or so far of the lists. */
export async function listEndingSoon(scope: Scope): Promise<EndingSoon> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  const { billing, owner, seller } = signedIn;
  // By the same day as the desk: a sandbox may be ahead.
  const now = await serviceNow(signedIn);
  const clock = { time_zone: seller.time_zone, now };
  const copied = await readMuch((pool) => findEndingSoon(pool, owner, clock));
  return copied ?? lookForEndingSoon(billing, clock);
}

/** The same out of the lists, so far. */
export async function lookForEndingSoon(
  billing: Pick<BillingClient, "listSubscriptions">,
  { time_zone, now }: { time_zone: string; now: string },
): Promise<EndingSoon> {
  const [ending, active] = await Promise.all([
    look(billing, "pending_cancellation"),
    look(billing, "active"),
  ]);
  const billing_soon = active.rows.filter((row) => billsSoon(row, time_zone, now));
  const all = byBillingDate([...ending.rows, ...billing_soon]);
  return {
    subscriptions: all.slice(0, SHOWN),
    total: all.length,
    is_least: !ending.looked.is_complete || !active.looked.is_complete,
    copy: null,
    active: active.looked,
  };
}

/** The same out of the copy alone; null while that cannot tell. */
export async function findEndingSoon(
  pool: Pick<pg.Pool, "query" | "connect">,
  owner: KeyOwner,
  { time_zone, now }: { time_zone: string; now: string },
): Promise<EndingSoon | null> {
  const copy = await readIndexStatus(pool, owner);
  if (copy.state !== "ready") return null;
  const today = calendarDay(now, time_zone) ?? now.slice(0, 10);
  const from = zonedMoment(today, time_zone);
  const to = zonedMoment(addDays(today, DAYS_AHEAD + 1), time_zone);
  const soonest = (...conditions: NonNullable<RowQuery["conditions"]>) =>
    findRows<Subscription>(pool, owner, { ...SOONEST, conditions });
  const ending = await soonest(() => "status = 'pending_cancellation'");
  const active = await soonest(
    () => "status = 'active'",
    (bind) => `next_billing_cycle >= ${bind(from)}`,
    (bind) => `next_billing_cycle < ${bind(to)}`,
  );
  return {
    subscriptions: byBillingDate([...ending.results, ...active.results]).slice(0, SHOWN),
    total: ending.count + active.count,
    is_least: ending.is_capped || active.is_capped,
    copy: { as_of: copy.as_of, age_s: copy.age_s },
    active: null,
  };
}

const SOONEST: Omit<RowQuery, "conditions"> = {
  list: "subscriptions",
  terms: [],
  order: { columns: ["next_billing_cycle"], isDescending: false, isNullable: true },
  paging: { page: 1, page_size: SHOWN },
};

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

async function look(
  billing: Pick<BillingClient, "listSubscriptions">,
  status: keyof typeof MOST_PAGES,
) {
  const walk = await walkPages((page) => billing.listSubscriptions({ ...page, status }), {
    most: MOST_PAGES[status],
  });
  const rows = [...new Map(walk.rows.map((row) => [row.subscription_id, row])).values()];
  return { rows, looked: lookedOf(walk) };
}

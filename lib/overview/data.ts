import "server-only";
import type pg from "pg";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { checkoutLinks } from "#lib/billing/checkout-base.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { serviceDay, serviceNow } from "#lib/billing/service-clock.ts";
import { addDays } from "#lib/format/calendar.ts";
import { readFromReplica } from "#lib/db/replica.ts";
import { dayInZone } from "#lib/format/format.ts";
import type { IndexAbsence } from "#lib/list-answer.ts";
import { readIndexStatus } from "#lib/search-index/query/index-status.ts";
import { findRows, type RowQuery } from "#lib/search-index/query/find-rows.ts";
import { type DueRow, findDueSubscriptions } from "#lib/search-index/query/owed.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import type {
  DueSubscriptions,
  EndingSoon,
  PanelSubscription,
  WaitingCheckouts,
} from "./queries.ts";
import { byBillingDate, PANEL_ROWS, SOON_DAYS } from "./rules.ts";

/**
 * Due subscriptions, longest overdue first. While the index fills, only those of the API's first page,
 * which holds the newest.
 */
export async function listDue(scope: Scope): Promise<DueSubscriptions> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  const { billing, owner } = signedIn;
  const day = await serviceDay(signedIn);
  const found = await readFromReplica((pool) => findDuePanel(pool, owner, day));
  const toPayable = await payableOf(signedIn);
  const toDue = ({ subscription, owed }: DueRow) => ({
    ...toPayable(subscription),
    next_billing_cycle: subscription.next_billing_cycle,
    owed,
  });
  if ("results" in found) {
    const { results, count, is_capped, index } = found;
    const subscriptions = results.map(toDue);
    return { subscriptions, total: is_capped ? null : count, index, absence: null };
  }
  const { results, count } = await billing.listSubscriptions(firstPage("due"));
  const first = byBillingDate(results).slice(0, PANEL_ROWS);
  const subscriptions = first.map((subscription) => toDue({ subscription, owed: [] }));
  return { subscriptions, total: count, index: null, absence: found };
}

async function findDuePanel(
  pool: Pick<pg.Pool, "query" | "connect">,
  owner: KeyOwner,
  day: string,
) {
  const status = await readIndexStatus(pool, owner);
  if (status.state !== "ready") return status;
  const found = await findDueSubscriptions(pool, owner, { day, paging: SOONEST.paging });
  return { ...found, index: freshnessOf(status) };
}

/**
 * Subscriptions that were cancelled but have not ended, and those that bill within the week. While the
 * index fills, only the former: the API filters by status alone.
 */
export async function listEndingSoon(scope: Scope): Promise<EndingSoon> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  const { billing, owner, seller } = signedIn;
  // Uses the same day as the collection page: a sandbox's clock may be ahead.
  const now = await serviceNow(signedIn);
  const clock = { time_zone: seller.time_zone, now };
  const found = await readFromReplica((pool) => findEndingSoon(pool, owner, clock));
  return "subscriptions" in found ? found : readEndingSubscriptions(billing, found);
}

/** @param absence why the index cannot answer */
export async function readEndingSubscriptions(
  billing: Pick<BillingClient, "listSubscriptions">,
  absence: IndexAbsence,
): Promise<EndingSoon> {
  const { results } = await billing.listSubscriptions(firstPage("pending_cancellation"));
  const subscriptions = byBillingDate(results).slice(0, PANEL_ROWS).map(toSoon);
  return { subscriptions, total: results.length, is_least: true, index: null, absence };
}

const firstPage = (status: string) => ({ status, page: 1, page_size: MAX_PAGE_SIZE });

/**
 * What `listEndingSoon` lists, from the index alone; the index's state while it cannot be queried.
 */
export async function findEndingSoon(
  pool: Pick<pg.Pool, "query" | "connect">,
  owner: KeyOwner,
  { time_zone, now }: { time_zone: string; now: string },
): Promise<EndingSoon | IndexAbsence> {
  const status = await readIndexStatus(pool, owner);
  if (status.state !== "ready") return status;
  const today = dayInZone(now, time_zone);
  const from = zonedMoment(today, time_zone);
  const to = zonedMoment(addDays(today, SOON_DAYS + 1), time_zone);
  const soonest = (...conditions: NonNullable<RowQuery["conditions"]>) =>
    findRows<Subscription>(pool, owner, { ...SOONEST, conditions });
  const ending = await soonest(() => "status = 'pending_cancellation'");
  const active = await soonest(
    () => "status = 'active'",
    (bind) => `next_billing_cycle >= ${bind(from)}`,
    (bind) => `next_billing_cycle < ${bind(to)}`,
  );
  return {
    subscriptions: byBillingDate([...ending.results, ...active.results])
      .slice(0, PANEL_ROWS)
      .map(toSoon),
    total: ending.count + active.count,
    is_least: ending.is_capped || active.is_capped,
    index: freshnessOf(status),
    absence: null,
  };
}

const freshnessOf = ({ as_of, age_s }: { as_of: string; age_s: number }) => ({ as_of, age_s });

const SOONEST: Omit<RowQuery, "conditions"> = {
  list: "subscriptions",
  terms: [],
  order: { columns: ["next_billing_cycle"], isDescending: false, isNullable: true },
  paging: { page: 1, page_size: PANEL_ROWS },
};

/** The newest unpaid subscriptions, each with its checkout link. */
export async function listWaiting(scope: Scope): Promise<WaitingCheckouts> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  const search = { status: "pending_checkout", page: 1, page_size: PANEL_ROWS };
  const { results, count } = await signedIn.billing.listSubscriptions(search);
  const toPayable = await payableOf(signedIn);
  const subscriptions = results.slice(0, PANEL_ROWS).map((subscription) => ({
    ...toPayable(subscription),
    created_at: subscription.created_at,
  }));
  return { subscriptions, total: count };
}

async function payableOf(signedIn: SignedIn) {
  const linkOf = await checkoutLinks(signedIn);
  return (subscription: Subscription) => ({
    ...toPanel(subscription),
    checkout_url: linkOf(subscription.subscription_id),
  });
}

const toSoon = (subscription: Subscription) => ({
  ...toPanel(subscription),
  status: subscription.status,
  next_billing_cycle: subscription.next_billing_cycle,
  current_period_end: subscription.current_period_end,
});

function toPanel({ subscription_id, client, product }: Subscription): PanelSubscription {
  const { full_name, phone } = client;
  const { name, pbp_id, price, currency } = product;
  return {
    subscription_id,
    client: { full_name, phone },
    product: { name, pbp_id, price, currency },
  };
}

import "server-only";
import type { Message, Subscription } from "#contract/subscriptions.ts";
import { can } from "#lib/auth/permissions.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { checkoutLink } from "#lib/billing/checkout-link.ts";
import { readCheckoutBase } from "#lib/billing/checkout-base.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { database } from "#lib/db/pool.ts";
import { readMuch } from "#lib/db/replica.ts";
import type { Paging } from "#lib/paging.ts";
import { readFacets, type Facet } from "#lib/search-index/query/facets.ts";
import {
  listFrom,
  searchCustomers,
  searchProducts,
  type IndexAnswer,
} from "#lib/search-index/query/search-records.ts";
import {
  readCounts,
  type SubscriptionCounts,
} from "#lib/search-index/query/subscription-counts.ts";
import {
  searchSubscriptions,
  searchSubscriptionsOf,
} from "#lib/search-index/query/subscription-query.ts";
import { checkoutUrl } from "#lib/env.ts";
import type { FoundRecords, SubscriptionList, SubscriptionRecord } from "./queries.ts";
import { readDebt } from "./goodwill/store.ts";
import { readDateSource } from "./date-source-store.ts";
import type { Move } from "./date-source.ts";
import { hasOpenCheckout } from "#lib/money/payable.ts";
import { billingDay } from "./rules.ts";
import { ALL_SUBSCRIPTIONS, isSupportedByApi, type SubscriptionSearch } from "./search.ts";

/** @param text what is searched for, if anything */
export async function listSubscriptions(
  scope: Scope,
  search: SubscriptionSearch,
  text: string,
): Promise<SubscriptionList> {
  const { billing, owner, seller } = await requireSeller(scope, "subscriptions:read");
  const { status, page, page_size } = search;
  const { page: api, ...answer } = await listFrom({
    isSupportedByApi: text === "" && isSupportedByApi(search),
    readApi: () => billing.listSubscriptions({ status, page, page_size }),
    readIndex: (pool) =>
      searchSubscriptions(pool, owner, { search, words: text, time_zone: seller.time_zone }),
  });
  return {
    ...answer,
    total_subscriptions: api?.total_subscriptions ?? null,
    active_subscriptions: api?.active_subscriptions ?? null,
    due_subscriptions: api?.due_subscriptions ?? null,
    inactive_subscriptions: api?.inactive_subscriptions ?? null,
  };
}

/** All with the customer's phone number, newest first; null while the index cannot tell. */
export async function listCustomerSubscriptions(
  scope: Scope,
  customer_id: string,
  paging: Paging,
) {
  const { owner } = await requireSeller(scope, "subscriptions:read");
  const answer = await readMuch((pool) =>
    searchSubscriptionsOf(pool, owner, customer_id, paging),
  );
  return answer?.state === "ready" ? answer : null;
}

export async function getCounts(scope: Scope): Promise<{ counts: SubscriptionCounts | null }> {
  const { owner } = await requireSeller(scope, "subscriptions:read");
  return { counts: await readCounts(database(), owner) };
}

/** The products and plans that the index has subscriptions of. */
export async function listFacets(scope: Scope): Promise<Facet[]> {
  const { owner } = await requireSeller(scope, "subscriptions:read");
  return readMuch((pool) => readFacets(pool, owner));
}

const PALETTE_PAGE: Paging = { page: 1, page_size: 5 };

/** A few of each kind that the user may see, for the command palette; none while the index is filled. */
export async function searchRecords(scope: Scope, text: string): Promise<FoundRecords> {
  const { owner, role, seller } = await requireSeller(scope, "subscriptions:read");
  const search = { ...ALL_SUBSCRIPTIONS, ...PALETTE_PAGE };
  const [subscriptions, customers, products] = await readMuch((pool) =>
    Promise.all([
      searchSubscriptions(pool, owner, { search, words: text, time_zone: seller.time_zone }),
      can(role, "customers:read") ? searchCustomers(pool, owner, text, PALETTE_PAGE) : null,
      can(role, "products:read") ? searchProducts(pool, owner, text, PALETTE_PAGE) : null,
    ]),
  );
  return {
    subscriptions: exactRows(subscriptions),
    customers: exactRows(customers),
    products: exactRows(products),
  };
}

const exactRows = <Row>(answer: IndexAnswer<Row> | null): Row[] =>
  answer?.state === "ready" && !answer.is_near ? answer.results : [];

/** @param moving a move that is not in the record yet */
export async function getSubscription(
  scope: Scope,
  subscription_id: string,
  moving: Move | null = null,
): Promise<SubscriptionRecord> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  const { billing, owner } = signedIn;
  const [subscription, base] = await Promise.all([
    billing.getSubscription(subscription_id),
    readCheckoutBase(database(), owner),
  ]);
  const checkout_url = hasOpenCheckout(subscription)
    ? checkoutLink(base ?? checkoutUrl(scope.mode), subscription_id)
    : null;
  const [reached, debt] = await Promise.all([
    readDateSource(database(), signedIn, subscription, moving),
    readDebt(database(), signedIn, subscription),
  ]);
  return { subscription, checkout_url, reached, debt };
}

/** One change of one subscription; `day` is YYYY-MM-DD in the seller's zone. */
export type Change = { subscription_id: string } & (
  { operation: "cancel" | "resume" } | { operation: "reschedule"; day: string }
);

/** The answer bears no record: it is to be read again. @throws AppError */
export function sendChange(billing: BillingClient, change: Change): Promise<Message> {
  const { subscription_id } = change;
  switch (change.operation) {
    case "cancel":
      return billing.cancelSubscription(subscription_id);
    case "resume":
      return billing.resumeSubscription(subscription_id);
    case "reschedule":
      return billing.rescheduleSubscription({
        subscription_id,
        next_billing_cycle: change.day,
      });
  }
}

/** As the audit log tells a change; what stayed as it was has no before. */
export function changeDetail(before: Subscription, after: Subscription, time_zone: string) {
  return {
    ...pair("status", before.status, after.status),
    ...pair("next_billing", billingDay(before, time_zone), billingDay(after, time_zone)),
  };
}

function pair(name: string, before: string | null, after: string | null) {
  return before === after ? { [name]: after } : { [`${name}_before`]: before, [name]: after };
}

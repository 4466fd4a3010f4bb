import "server-only";
import type { Message, Subscription, SubscriptionPage } from "#contract/subscriptions.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { checkoutLink } from "#lib/billing/checkout-link.ts";
import { readCheckoutBase } from "#lib/billing/checkout-base.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { database } from "#lib/db/pool.ts";
import { checkoutUrl } from "#lib/env.ts";
import type { SubscriptionRecord } from "./queries.ts";
import { readDebt } from "./goodwill/data.ts";
import { readReached } from "./reached/data.ts";
import type { Move } from "./reached/rules.ts";
import { hasOpenCheckout } from "#lib/money/payable.ts";
import { billingDay } from "./rules.ts";
import type { SubscriptionSearch } from "./search.ts";

export async function listSubscriptions(
  scope: Scope,
  search: SubscriptionSearch,
): Promise<SubscriptionPage> {
  const { billing } = await requireSeller(scope, "subscriptions:read");
  return billing.listSubscriptions(search);
}

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
    readReached(database(), signedIn, subscription, moving),
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

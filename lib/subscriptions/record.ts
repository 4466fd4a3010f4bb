import "server-only";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { checkoutLinks } from "#lib/billing/checkout-base.ts";
import { readTagsOf } from "#lib/tags/store.ts";
import { database } from "#lib/db/pool.ts";
import { hasOpenCheckout } from "#lib/money/payable.ts";
import type { Scope } from "#lib/scope.ts";
import { type BillingDateMove, readDateSource } from "./date-source.ts";
import { readDebt } from "./goodwill/store.ts";
import type { SubscriptionRecord } from "./queries.ts";

/** @param moving a move that is not in the audit log yet */
export async function getSubscription(
  scope: Scope,
  subscription_id: string,
  moving: BillingDateMove | null = null,
): Promise<SubscriptionRecord> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  const { billing } = signedIn;
  const [subscription, linkOf] = await Promise.all([
    billing.getSubscription(subscription_id),
    checkoutLinks(signedIn),
  ]);
  const checkout_url = hasOpenCheckout(subscription) ? linkOf(subscription_id) : null;
  const { phone } = subscription.client;
  const [reached, debt, tagsOf] = await Promise.all([
    readDateSource(database(), signedIn, subscription, moving),
    readDebt(database(), signedIn, subscription),
    readTagsOf(database(), signedIn.owner, [phone]),
  ]);
  return { subscription, checkout_url, reached, debt, tags: tagsOf(phone) };
}

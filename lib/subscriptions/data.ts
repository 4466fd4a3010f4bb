import "server-only";
import type { SubscriptionPage } from "#contract/subscriptions.ts";
import { requireSeller } from "#lib/auth/require-seller.ts";
import { checkoutLink } from "#lib/billing/checkout-link.ts";
import { readCheckoutBase } from "#lib/billing/connection.ts";
import { database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import type { SubscriptionRecord } from "./queries.ts";
import { hasOpenCheckout } from "./rules.ts";
import type { SubscriptionSearch } from "./search.ts";

export async function listSubscriptions(search: SubscriptionSearch): Promise<SubscriptionPage> {
  const { billing } = await requireSeller("subscriptions:read");
  return billing.listSubscriptions(search);
}

export async function getSubscription(subscription_id: string): Promise<SubscriptionRecord> {
  const { billing, seller } = await requireSeller("subscriptions:read");
  const [subscription, base] = await Promise.all([
    billing.getSubscription(subscription_id),
    readCheckoutBase(database(), { seller_id: seller.id, mode: "test" }),
  ]);
  const checkout_url = hasOpenCheckout(subscription)
    ? checkoutLink(base ?? env().BILLING_CHECKOUT_URL ?? null, subscription_id)
    : null;
  return { subscription, checkout_url };
}

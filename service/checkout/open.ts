import type { Database } from "../db/database.ts";
import { notFound } from "../http/errors.ts";
import { findSeller, type Seller } from "../sellers/store.ts";
import { isUuid } from "../subscriptions/get.ts";
import { localDate } from "../subscriptions/periods.ts";
import { amountDue, type Amount } from "../subscriptions/pricing.ts";
import {
  findSellerIdOf,
  lockSubscription,
  selectSubscription,
  type SubscriptionRow,
} from "../subscriptions/store.ts";
import { selectPrice } from "./store.ts";

export interface Checkout {
  seller: Seller;
  subscription: SubscriptionRow;
  amount: Amount;
}

/** What the link shows, priced now. @throws 404 for an unknown or malformed id. */
export async function openCheckout(
  database: Database,
  subscriptionId: string,
  now: Date,
  { lock = false } = {},
): Promise<Checkout> {
  const sellerId = isUuid(subscriptionId)
    ? await findSellerIdOf(database, subscriptionId)
    : null;
  if (sellerId === null) throw notFound();
  const select = lock ? lockSubscription : selectSubscription;
  const subscription = await select(database, sellerId, subscriptionId);
  const seller = await findSeller(database, sellerId);
  if (!subscription || !seller) throw notFound();
  const today = localDate(now, seller.time_zone).toString();
  const price = await selectPrice(database, sellerId, subscription.pbp_id, today);
  return { seller, subscription, amount: amountDue(price) };
}

/** A first payment, or one that is overdue. */
export const isPayable = ({ status }: SubscriptionRow) =>
  status === "pending_checkout" || status === "due";

/** Spec, What the service does 3: the way back proves nothing, so it carries no result. */
export function returnAddress({ return_url, subscription_id }: SubscriptionRow): string {
  const url = new URL(return_url);
  url.searchParams.set("subscription_id", subscription_id);
  return url.href;
}

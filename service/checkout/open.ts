import type { Database } from "../db/database.ts";
import { notFound } from "../http/errors.ts";
import { lockCurrent } from "../lifecycle/catch-up.ts";
import { asOf } from "../lifecycle/elapsed.ts";
import { sellerNow } from "../lifecycle/seller-clock.ts";
import { findSeller, type Seller } from "../sellers/store.ts";
import { isUuid } from "../subscriptions/get.ts";
import { localDate } from "../subscriptions/periods.ts";
import { amountDue, type Amount } from "../subscriptions/pricing.ts";
import {
  findSellerIdOf,
  selectSubscription,
  type LockedSubscription,
  type SubscriptionRow,
} from "../subscriptions/store.ts";
import { selectPrice } from "./store.ts";

export interface Checkout {
  seller: Seller;
  subscription: SubscriptionRow;
  amount: Amount;
  /** The moment by the seller's own clock. */
  now: Date;
}

/** What the link shows, priced now. @throws 404 for an unknown or malformed id. */
export async function openCheckout(
  database: Database,
  subscriptionId: string,
  moment: Date,
): Promise<Checkout> {
  const seller = await findSellerOf(database, subscriptionId);
  const now = sellerNow(seller, moment);
  const stored = await selectSubscription(database, seller.seller_id, subscriptionId);
  if (!stored) throw notFound();
  const subscription = asOf(stored, seller, now);
  const amount = await priceOf(database, seller, subscription, now);
  return { seller, subscription, amount, now };
}

/** The same to act on: locked, and as it stands at that moment. */
export async function lockCheckout(
  database: Database,
  subscriptionId: string,
  moment: Date,
): Promise<Checkout & { subscription: LockedSubscription }> {
  const seller = await findSellerOf(database, subscriptionId);
  const now = sellerNow(seller, moment);
  const subscription = await lockCurrent(database, seller, subscriptionId, now);
  if (!subscription) throw notFound();
  const amount = await priceOf(database, seller, subscription, now);
  return { seller, subscription, amount, now };
}

async function findSellerOf(database: Database, subscriptionId: string): Promise<Seller> {
  const sellerId = isUuid(subscriptionId)
    ? await findSellerIdOf(database, subscriptionId)
    : null;
  const seller = sellerId === null ? null : await findSeller(database, sellerId);
  if (!seller) throw notFound();
  return seller;
}

async function priceOf(
  database: Database,
  { seller_id, time_zone }: Seller,
  { pbp_id }: SubscriptionRow,
  now: Date,
): Promise<Amount> {
  const today = localDate(now, time_zone).toString();
  return amountDue(await selectPrice(database, seller_id, pbp_id, today));
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

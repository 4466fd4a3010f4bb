import type { Database } from "../db/database.ts";
import { isUuid } from "../http/ids.ts";
import type { Seller } from "../sellers/store.ts";
import { changeStatus } from "./change-status.ts";
import { withMovedPeriod } from "./period-move.ts";
import {
  findActiveId,
  lockSubscription,
  type LockedSubscription,
  type SubscriptionRow,
} from "./store.ts";
import { timedChangesUntil } from "./timed-changes.ts";

/** Applies the due time-based changes in order: first due, then inactive. */
export async function applyDueChanges(
  database: Database,
  seller: Seller,
  subscription: LockedSubscription,
  now: Date,
): Promise<LockedSubscription> {
  let current = subscription;
  // ADR 0070: each event has the time of its change, however late the change is written.
  for (const { trigger, at } of timedChangesUntil(subscription, seller, now)) {
    if (trigger === "billing_date_passed")
      current = await withMovedPeriod(database, seller, current);
    current = (await changeStatus(database, current, { trigger, now: at })).subscription;
  }
  return current;
}

/**
 * The subscription as of that time, locked until the transaction ends; null for an unknown or
 * malformed id and another seller's. Every write begins here, so that none depends on the sweep
 * being on time.
 */
export async function lockCurrentSubscription(
  database: Database,
  seller: Seller,
  subscriptionId: string,
  now: Date,
): Promise<LockedSubscription | null> {
  if (!isUuid(subscriptionId)) return null;
  const subscription = await lockSubscription(database, seller.seller_id, subscriptionId);
  return subscription && applyDueChanges(database, seller, subscription, now);
}

/**
 * Spec, Errors: a buyer can have one active subscription per product and billing period. One
 * whose billing date has passed only looks active until the sweep updates it.
 */
export async function hasActiveDuplicate(
  database: Database,
  seller: Seller,
  order: Pick<SubscriptionRow, "customer_id" | "pbp_id"> & { subscription_id?: string },
  now: Date,
): Promise<boolean> {
  const id = await findActiveId(database, seller.seller_id, order);
  if (id === null || id === order.subscription_id) return false;
  return (await lockCurrentSubscription(database, seller, id, now))?.status === "active";
}

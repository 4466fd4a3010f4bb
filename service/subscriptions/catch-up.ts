import type { Database } from "../db/database.ts";
import type { Seller } from "../sellers/store.ts";
import { changeStatus } from "./change-status.ts";
import { isUuid } from "./get.ts";
import { lockSubscription, type LockedSubscription } from "./store.ts";
import { timedChangesUntil } from "./timed-changes.ts";

/** Applies the due time-based changes in order: first due, then inactive. */
export async function catchUp(
  database: Database,
  seller: Seller,
  subscription: LockedSubscription,
  now: Date,
): Promise<LockedSubscription> {
  let current = subscription;
  // ADR 0070: each event bears the moment of its change, however late the change is written.
  for (const { trigger, at } of timedChangesUntil(subscription, seller, now))
    current = (await changeStatus(database, current, { trigger, now: at })).subscription;
  return current;
}

/**
 * The subscription as of that time, locked until the transaction ends; null for an unknown or
 * malformed id and another seller's. Every write begins here, so that none depends on the sweep
 * being on time.
 */
export async function lockCurrent(
  database: Database,
  seller: Seller,
  subscriptionId: string,
  now: Date,
): Promise<LockedSubscription | null> {
  if (!isUuid(subscriptionId)) return null;
  const subscription = await lockSubscription(database, seller.seller_id, subscriptionId);
  return subscription && catchUp(database, seller, subscription, now);
}

import type { Database } from "../db/database.ts";
import { lockCurrent } from "./catch-up.ts";
import type { Seller } from "../sellers/store.ts";
import { findActiveId, type SubscriptionRow } from "./store.ts";

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
  return (await lockCurrent(database, seller, id, now))?.status === "active";
}

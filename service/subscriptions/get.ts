import type { Subscription } from "#contract/subscriptions.ts";
import type { Database } from "../db/database.ts";
import { notFound } from "../http/errors.ts";
import { presentSubscription } from "./present.ts";
import { selectSubscription } from "./store.ts";

export const isUuid = (text: string) =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);

/** @throws 404 for an unknown or malformed id, and for another seller's */
export async function getSubscription(
  database: Database,
  sellerId: number,
  subscriptionId: string,
): Promise<Subscription> {
  const row = isUuid(subscriptionId)
    ? await selectSubscription(database, sellerId, subscriptionId)
    : null;
  if (!row) throw notFound();
  return presentSubscription(row);
}

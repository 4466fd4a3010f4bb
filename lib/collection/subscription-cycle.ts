import "server-only";
import { queryValue } from "#contract/process/database.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import { database, isStorableText, type Database } from "#lib/db/pool.ts";

/** The billing date that contacts refer to, ISO; null before the first payment. */
export function billingCycleOf({
  next_billing_cycle,
}: Pick<Subscription, "next_billing_cycle">) {
  const moment = Date.parse(next_billing_cycle ?? "");
  return Number.isNaN(moment) ? null : new Date(moment).toISOString();
}

/**
 * Reads the billing date from the search index, else from the service.
 * @throws AppError if the seller has no such subscription
 */
export async function requireBillingCycle(
  { owner, billing }: SignedIn,
  subscription_id: string,
): Promise<string | null> {
  const record =
    (await readIndexedSubscription(database(), owner, subscription_id)) ??
    (await billing.getSubscription(subscription_id));
  return billingCycleOf(record);
}

/** The subscription as the search index has it; null if it is not indexed. */
export async function readIndexedSubscription(
  db: Database,
  { seller_id, mode }: SignedIn["owner"],
  subscription_id: string,
): Promise<Subscription | null> {
  if (!isStorableText(subscription_id)) return null;
  return queryValue<Subscription>(
    db,
    `select record from indexed_subscription where seller_id = $1 and mode = $2 and id = $3`,
    [seller_id, mode, subscription_id],
  );
}

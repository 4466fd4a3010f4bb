import "server-only";
import { MAX_PAGE_SIZE } from "#contract/pagination.ts";
import type { TimeSpan } from "#contract/sandbox.ts";
import type { BillingClient } from "#lib/billing/client.ts";

// More than the number of steps shown at first.
const MAX_LOOKUPS = 20;

/**
 * Buyer names by subscription id, as far as known: from the steps, else from the newest subscriptions,
 * else one read per subscription.
 */
export async function readBuyerNames(
  billing: Pick<BillingClient, "listSubscriptions" | "getSubscription">,
  steps: TimeSpan["steps"],
): Promise<Record<string, string>> {
  const named = steps.filter(({ full_name }) => full_name !== "");
  const told = Object.fromEntries(
    named.map(({ subscription_id, full_name }) => [subscription_id, full_name]),
  );
  const wanted = new Set(
    steps.map(({ subscription_id }) => subscription_id).filter((id) => !(id in told)),
  );
  if (wanted.size === 0) return told;
  const page = await billing
    .listSubscriptions({ status: null, page: 1, page_size: MAX_PAGE_SIZE })
    .catch(() => null);
  const rows = page?.results.filter((row) => wanted.delete(row.subscription_id)) ?? [];
  const others = await Promise.all(
    [...wanted]
      .slice(0, MAX_LOOKUPS)
      .map((id) => billing.getSubscription(id).catch(() => null)),
  );
  const found = [...rows, ...others.filter((row) => row !== null)].map(
    ({ subscription_id, client }) => [subscription_id, client.full_name] as const,
  );
  return { ...told, ...Object.fromEntries(found) };
}

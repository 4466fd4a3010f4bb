import "server-only";
import { ReceivedAccountDirectory } from "#contract/account.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { ACCOUNT_ROOT, DISCOVERY_TIMEOUT } from "#lib/billing/discovery.ts";
import { AppError } from "#lib/failure.ts";

/** Whether the service makes subscriptions that are paid until a day, as it says itself. */
export async function isPaidUntilOffered(billing: BillingClient): Promise<boolean> {
  try {
    const { operations } = await billing.extension("account", DISCOVERY_TIMEOUT).read({
      path: ACCOUNT_ROOT,
      answer: ReceivedAccountDirectory,
    });
    return operations.some(
      ({ method, path, scope }) =>
        method === "POST" && path === `/${ACCOUNT_ROOT}/subscriptions/` && scope !== null,
    );
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

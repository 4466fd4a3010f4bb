import "server-only";
import type { Notice } from "#contract/deliveries.ts";
import { requireSeller } from "#lib/auth/require-seller.ts";
import type { Scope } from "#lib/auth/scope.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { BillingError } from "#lib/billing/errors.ts";
import { readRegistrations } from "#lib/billing/registrations.ts";
import type { WebhookList } from "./queries.ts";

/** Every registration of the seller, where the service lists them. */
export async function listWebhooks(scope: Scope): Promise<WebhookList> {
  const { billing } = await requireSeller(scope, "webhooks:read");
  const [list, notices] = await Promise.all([readRegistrations(billing), readNotices(billing)]);
  return { ...list, notices };
}

/** Only the embedded service has them: whatever goes wrong, the page does without. */
async function readNotices(billing: BillingClient): Promise<Notice[] | null> {
  try {
    return (await billing.deliveries.listNotices()).results;
  } catch (error) {
    if (error instanceof BillingError) return null;
    throw error;
  }
}

import "server-only";
import type { EndpointNotice } from "#contract/deliveries.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { readNotices } from "#lib/billing/unsupported.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { AppError } from "#lib/failure.ts";
import { recordEndpoints } from "#lib/billing/receiver-endpoints.ts";
import { listEndpoints, withoutRemoved } from "#lib/billing/webhook-endpoints.ts";
import { logFault } from "#lib/db/away.ts";
import { database, readClock } from "#lib/db/pool.ts";
import type { WebhookList } from "./queries.ts";

/** All endpoints of the seller that were not removed, if the service lists them. */
export async function listWebhooks(scope: Scope): Promise<WebhookList> {
  const { billing, owner } = await requireSeller(scope, "webhooks:read");
  const asked_at = await readClock(database());
  const [list, notices] = await Promise.all([listEndpoints(billing), listNotices(billing)]);
  // A failed write here must not hide the list.
  await recordEndpoints(database(), owner, list, asked_at).catch((error: unknown) =>
    logFault("receiver: its endpoints were not recorded", error),
  );
  const webhooks = await withoutRemoved(database(), owner, list.webhooks);
  return { ...list, webhooks, notices };
}

/** Only the embedded service has notices; the page works without them. */
async function listNotices(billing: BillingClient): Promise<EndpointNotice[] | null> {
  try {
    return (await readNotices(billing))?.results ?? null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

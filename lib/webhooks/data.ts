import "server-only";
import { EVENT_KINDS, SPECIFIED_EVENTS } from "#contract/names.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { AppError } from "#lib/failure.ts";
import { recordEndpoints } from "#lib/billing/receiver-endpoints.ts";
import { listEndpoints, withoutRemovedEndpoints } from "#lib/billing/webhook-endpoints.ts";
import { logFault } from "#lib/log.ts";
import { database, readClock } from "#lib/db/pool.ts";
import { readFailingEndpoints } from "./failing.ts";
import type { FailingWebhooks, WebhookList } from "./queries.ts";
import { DeliveryClient } from "#lib/billing/delivery-client.ts";

/** All endpoints of the seller that were not removed, if the service lists them. */
export async function listWebhooks(scope: Scope): Promise<WebhookList> {
  const { billing, owner } = await requireSeller(scope, "webhooks:read");
  const asked_at = await readClock(database());
  const deliveries = new DeliveryClient(billing);
  const [list, notices, told] = await Promise.all([
    listEndpoints(billing),
    ifAnswered(async () => (await deliveries.listNotices())?.results ?? null),
    ifAnswered(() => deliveries.listEvents()),
  ]);
  // The list is shown even if this write fails.
  await recordEndpoints(database(), owner, list, asked_at).catch((error: unknown) =>
    logFault("receiver: its endpoints were not recorded", error),
  );
  const webhooks = await withoutRemovedEndpoints(database(), owner, list.webhooks);
  const events = EVENT_KINDS.filter(
    (kind) => (SPECIFIED_EVENTS as readonly string[]).includes(kind) || told?.includes(kind),
  );
  return { ...list, webhooks, notices, events };
}

/** Reads data that not every service has; the page works without it. */
async function ifAnswered<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Endpoints whose deliveries fail; empty if the service does not list deliveries. */
export async function listFailing(scope: Scope): Promise<FailingWebhooks> {
  const { billing, owner, now } = await requireSeller(scope, "webhooks:read");
  return readFailingEndpoints(database(), { billing, owner, now });
}

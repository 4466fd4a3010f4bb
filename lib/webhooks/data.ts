import "server-only";
import type { Notice } from "#contract/deliveries.ts";
import type { Webhook } from "#contract/webhooks.ts";
import { requireSeller } from "#lib/auth/require-seller.ts";
import type { Scope } from "#lib/auth/scope.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { BillingError } from "#lib/billing/errors.ts";
import { walkPages } from "#lib/billing/walk-pages.ts";
import type { RegisteredWebhook, WebhookList } from "./queries.ts";
import { absenceOf } from "./rules.ts";

const MOST_PAGES = 10;

/** Every registration of the seller, where the service lists them. */
export async function listWebhooks(scope: Scope): Promise<WebhookList> {
  const { billing } = await requireSeller(scope, "webhooks:read");
  const [list, notices] = await Promise.all([readWebhooks(billing), readNotices(billing)]);
  return { ...list, notices };
}

type Registration = Pick<Webhook, "event" | "endpoint_url">;

/**
 * Registers an event at an address unless the list has it already: a second try after a lost answer
 * does nothing twice.
 * @throws BillingError also where the list cannot be read, and nothing was sent then
 */
export async function registerOnce(
  billing: BillingClient,
  registration: Registration,
): Promise<RegisteredWebhook> {
  const known = await findRegistered(billing, registration);
  if (known) return { webhook: known, secret: null, is_new: false };
  try {
    const created = await billing.createWebhook({ ...registration, is_active: true });
    return { ...created, is_new: true };
  } catch (error) {
    const failure = error instanceof BillingError ? error.failure : null;
    if (failure?.kind !== "unavailable" || !failure.outcome_unknown) throw error;
    const webhook = await findRegistered(billing, registration).catch(() => null);
    if (!webhook) throw error;
    return { webhook, secret: null, is_new: true };
  }
}

async function findRegistered(
  billing: BillingClient,
  { event, endpoint_url }: Registration,
): Promise<Webhook | null> {
  const { webhooks, absence } = await readWebhooks(billing);
  // It may be there again in a moment, and hold what was asked for.
  if (absence === "unreadable") throw new BillingError({ kind: "unexpected" });
  const found = webhooks.find(
    (one) => one.event === event && one.endpoint_url === endpoint_url,
  );
  return found ?? null;
}

/** @throws BillingError unless it says that there is no list */
export async function readWebhooks(
  billing: BillingClient,
): Promise<Omit<WebhookList, "notices">> {
  try {
    const { rows, next_page } = await walkPages((page) => billing.listWebhooks(page), {
      most: MOST_PAGES,
    });
    const byId = new Map(rows.map((webhook) => [webhook.id, webhook]));
    return { webhooks: [...byId.values()], is_complete: next_page === null, absence: null };
  } catch (error) {
    const absence = error instanceof BillingError ? absenceOf(error.failure) : null;
    if (absence === null) throw error;
    return { webhooks: [], is_complete: true, absence };
  }
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

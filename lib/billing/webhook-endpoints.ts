import "server-only";
import type { Webhook } from "#contract/webhooks.ts";
import type { BillingClient } from "./client.ts";
import { AppError, type Failure, type FailureKind } from "#lib/failure.ts";
import { walkPages } from "./walk-pages.ts";

const MOST_PAGES = 10;

export interface EndpointList {
  /** Newest first. */
  webhooks: Webhook[];
  /** False when the list is longer than we walk. */
  is_complete: boolean;
  /** Why there is no list: the service has none, or answers what cannot be read. Null when there is one. */
  absence: "absent" | "unreadable" | null;
}

/** What a creation answers with; the secret is shown this once and kept nowhere. */
export interface RegisteredWebhook {
  webhook: Webhook;
  /** Null where the service showed none, or its answer was lost. */
  secret: string | null;
  /** False when there was one for this event and address already: nothing was created then. */
  is_new: boolean;
}

export type EndpointEvent = Pick<Webhook, "event" | "endpoint_url">;

/**
 * Registers an event at an address unless the list has it already: a second try after a lost answer
 * does nothing twice.
 * @param before the id of one that was made before: it counts where the service offers no list
 * @throws AppError also where the list cannot be read, and nothing was sent then
 */
export async function registerOnce(
  billing: BillingClient,
  registration: EndpointEvent,
  before: number | null = null,
): Promise<RegisteredWebhook> {
  const known = await findRegistered(billing, registration, before);
  if (known) return { webhook: known, secret: null, is_new: false };
  try {
    const created = await billing.createWebhook({ ...registration, is_active: true });
    return { ...created, is_new: true };
  } catch (error) {
    const failure = error instanceof AppError ? error.failure : null;
    if (failure?.kind !== "unavailable" || !failure.outcome_unknown) throw error;
    const webhook = await findRegistered(billing, registration).catch(() => null);
    if (!webhook) throw error;
    return { webhook, secret: null, is_new: true };
  }
}

async function findRegistered(
  billing: BillingClient,
  { event, endpoint_url }: EndpointEvent,
  before: number | null = null,
): Promise<Webhook | null> {
  const { webhooks, absence } = await listEndpoints(billing);
  // It may be there again in a moment, and hold what was asked for.
  if (absence === "unreadable") throw new AppError({ kind: "unexpected" });
  if (absence === "absent" && before !== null)
    return { id: before, event, endpoint_url, is_active: true, created_at: "" };
  const found = webhooks.find(
    (one) => one.event === event && one.endpoint_url === endpoint_url,
  );
  return found ?? null;
}

/** @throws AppError unless it says that there is no list */
export async function listEndpoints(billing: BillingClient): Promise<EndpointList> {
  try {
    const { rows, next_page } = await walkPages((page) => billing.listWebhooks(page), {
      most: MOST_PAGES,
    });
    const byId = new Map(rows.map((webhook) => [webhook.id, webhook]));
    return { webhooks: [...byId.values()], is_complete: next_page === null, absence: null };
  } catch (error) {
    const absence = error instanceof AppError ? listProblemOf(error.failure) : null;
    if (absence === null) throw error;
    return { webhooks: [], is_complete: true, absence };
  }
}

const ABSENT_KINDS: FailureKind[] = ["not_found", "not_offered", "conflict", "validation"];

/** Whether a failed list means that the service has none; null for what passes or concerns the key. */
export function listProblemOf({ kind }: Failure): EndpointList["absence"] {
  if (ABSENT_KINDS.includes(kind)) return "absent";
  return kind === "unexpected" ? "unreadable" : null;
}

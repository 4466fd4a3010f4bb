import "server-only";
import { createHash } from "node:crypto";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import type { Webhook } from "#contract/webhooks.ts";
import { AppError, type Failure, type FailureKind, failureOf } from "#lib/failure.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import type { BillingClient } from "./client.ts";

const MOST_PAGES = 10;

export interface EndpointList {
  /** The registered webhooks, newest first. */
  webhooks: Webhook[];
  /** False if the list has more pages than are read. */
  is_complete: boolean;
  /** Why there is no list: the service has none, or it is unreadable. */
  absence: "absent" | "unreadable" | null;
}

/** A registered webhook. Its secret is shown once; only that of Duebook's own endpoint is stored. */
export interface RegisteredWebhook {
  webhook: Webhook;
  /** The signing secret; null if the service showed none, or the response was lost. */
  secret: string | null;
  /** Whether the webhook was created now; false if it existed already. */
  is_new: boolean;
}

export type EndpointEvent = Pick<Webhook, "event" | "endpoint_url">;

/**
 * Registers an event at a URL, unless the list has it, so that a retry creates nothing twice.
 * @param before the id of a webhook registered earlier; used if the service has no list
 * @throws AppError also if the list cannot be read; then nothing was sent
 */
export async function registerEndpointOnce(
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
  // The unreadable list may contain the webhook.
  if (absence === "unreadable") throw new AppError({ kind: "unexpected" });
  if (absence === "absent" && before !== null)
    return { id: before, event, endpoint_url, is_active: true, created_at: "" };
  const found = webhooks.find(
    (one) => one.event === event && one.endpoint_url === endpoint_url,
  );
  return found ?? null;
}

/** @throws AppError unless the service has no list or an unreadable one */
export async function listEndpoints(billing: BillingClient): Promise<EndpointList> {
  try {
    return { ...(await readPages(billing)), absence: null };
  } catch (error) {
    const absence = error instanceof AppError ? listProblemOf(error.failure) : null;
    if (absence === null) throw error;
    return { webhooks: [], is_complete: true, absence };
  }
}

async function readPages(billing: BillingClient) {
  // Collected by id, because a webhook that is added during the read moves others to the next page.
  const webhooks = new Map<number, Webhook>();
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { results, next } = await readPage(billing, page);
    for (const webhook of results) webhooks.set(webhook.id, webhook);
    if (next === null) return { webhooks: [...webhooks.values()], is_complete: true };
  }
  return { webhooks: [...webhooks.values()], is_complete: false };
}

/** Reads one page; an empty one if the list became shorter and the page no longer exists. */
async function readPage(billing: BillingClient, page: number) {
  try {
    return await billing.listWebhooks({ page, page_size: MAX_PAGE_SIZE });
  } catch (error) {
    if (page === 1 || failureOf(error).kind !== "not_found") throw error;
    return { results: [], next: null };
  }
}

const ABSENT_KINDS: FailureKind[] = ["not_found", "not_offered", "conflict", "validation"];

/** Why there is no list; null if the failure is temporary or concerns the key. */
export function listProblemOf({ kind }: Failure): EndpointList["absence"] {
  if (ABSENT_KINDS.includes(kind)) return "absent";
  return kind === "unexpected" ? "unreadable" : null;
}

type Registered = Pick<Webhook, "id" | "endpoint_url">;

const hashOf = ({ endpoint_url }: Registered) =>
  createHash("sha256").update(endpoint_url).digest();

export async function recordRemovedEndpoint(
  db: Database,
  { seller_id, mode }: KeyOwner,
  webhook: Registered,
): Promise<void> {
  await db.query(
    `insert into removed_webhook (seller_id, mode, webhook_id, address_hash)
     values ($1, $2, $3, $4)
     on conflict (seller_id, mode, webhook_id)
       do update set address_hash = excluded.address_hash, removed_at = now()`,
    [seller_id, mode, webhook.id, hashOf(webhook)],
  );
}

/** Leaves out removed endpoints, unless they were switched on again later. */
export async function withoutRemovedEndpoints<
  Row extends Registered & Pick<Webhook, "is_active">,
>(db: Database, { seller_id, mode }: KeyOwner, webhooks: readonly Row[]): Promise<Row[]> {
  if (webhooks.length === 0) return [];
  const { rows } = await db.query<{ webhook_id: string; address_hash: Buffer }>(
    `select webhook_id, address_hash from removed_webhook where seller_id = $1 and mode = $2`,
    [seller_id, mode],
  );
  const removed = new Map(rows.map((row) => [Number(row.webhook_id), row.address_hash]));
  return webhooks.filter((one) => one.is_active || !removed.get(one.id)?.equals(hashOf(one)));
}

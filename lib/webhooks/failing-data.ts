import "server-only";
import { MAX_PAGE_SIZE } from "#contract/pagination.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { orUnsupported, readNotices } from "#lib/billing/unsupported.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { listEndpoints, withoutRemoved } from "#lib/billing/webhook-endpoints.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { noticeFor } from "./rules.ts";
import { failingOf, GIVEN_UP_DAYS, type Failing } from "./failing.ts";

const OF_ANY = {
  skipped: null,
  event: null,
  webhook_id: null,
  subscription_id: null,
  created_from: null,
  created_to: null,
  before: null,
  page_size: MAX_PAGE_SIZE,
};
const DAY_MS = 86_400_000;

/** Endpoints whose deliveries fail; empty if the service does not list deliveries. */
export async function listFailing(scope: Scope): Promise<Failing> {
  const { billing, owner, now } = await requireSeller(scope, "webhooks:read");
  return readFailing(database(), { billing, owner, now });
}

export async function readFailing(
  db: Database,
  { billing, owner, now }: { billing: BillingClient; owner: KeyOwner; now: string },
): Promise<Failing> {
  const since = new Date(Date.parse(now) - GIVEN_UP_DAYS * DAY_MS).toISOString();
  const { deliveries } = billing;
  const retrying = await orUnsupported(
    billing,
    () => deliveries.listDeliveries({ ...OF_ANY, state: "retrying" }),
    "deliveries",
  );
  if (retrying === null) return { endpoints: [], counted: null };
  const [failed, notices] = await Promise.all([
    deliveries.listDeliveries({ ...OF_ANY, state: "failed", created_from: since }),
    readNotices(billing),
  ]);
  // Failures at a removed endpoint need no attention.
  const givenUp = await withoutRemoved(
    db,
    owner,
    failed.results.map(({ webhook_id, endpoint_url }) => ({
      id: webhook_id,
      endpoint_url,
      is_active: false,
    })),
  );
  const told = notices?.results ?? [];
  const all = told.length > 0 ? (await listEndpoints(billing)).webhooks : [];
  const registered = await withoutRemoved(db, owner, all);
  const off = registered.filter((webhook) => noticeFor(webhook, told) !== null);
  return {
    endpoints: failingOf(retrying.results, givenUp, off),
    counted: retrying.next === null && failed.next === null ? null : MAX_PAGE_SIZE,
  };
}

import "server-only";
import { MAX_PAGE_SIZE } from "#contract/pagination.ts";
import { requireSeller } from "#lib/auth/require-seller.ts";
import type { Scope } from "#lib/auth/scope.ts";
import { orAbsent, readNotices } from "#lib/billing/absence.ts";
import { listWebhooks } from "../data.ts";
import { noticeFor } from "../rules.ts";
import { failingOf, type FailingEndpoint } from "./rules.ts";

const RETRYING = {
  state: "retrying",
  skipped: null,
  event: null,
  webhook_id: null,
  subscription_id: null,
  created_from: null,
  created_to: null,
  before: null,
  page_size: MAX_PAGE_SIZE,
} as const;

/** Addresses that do not take what is sent to them; none where the service tells nothing of deliveries. */
export async function listFailing(scope: Scope): Promise<FailingEndpoint[]> {
  const { billing } = await requireSeller(scope, "webhooks:read");
  const retrying = await orAbsent(
    billing,
    () => billing.deliveries.listDeliveries(RETRYING),
    "deliveries",
  );
  if (retrying === null) return [];
  const notices = (await readNotices(billing))?.results ?? [];
  const all = notices.length > 0 ? (await listWebhooks(scope)).webhooks : [];
  const off = all.filter((webhook) => noticeFor(webhook, notices) !== null);
  return failingOf(retrying.results, off);
}

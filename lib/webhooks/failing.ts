import "server-only";
import type { DeliveryRow } from "#contract/deliveries.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { ANY_DELIVERY, DeliveryClient } from "#lib/billing/delivery-client.ts";
import { listEndpoints, withoutRemovedEndpoints } from "#lib/billing/webhook-endpoints.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import type { FailingEndpoint, FailingWebhooks } from "./queries.ts";
import { GIVEN_UP_REPORT_DAYS, noticeFor } from "./rules.ts";

const DAY_MS = 86_400_000;

/** Endpoints whose deliveries fail; empty if the service does not list deliveries. */
export async function readFailingEndpoints(
  db: Database,
  { billing, owner, now }: { billing: BillingClient; owner: KeyOwner; now: string },
): Promise<FailingWebhooks> {
  const since = new Date(Date.parse(now) - GIVEN_UP_REPORT_DAYS * DAY_MS).toISOString();
  const deliveries = new DeliveryClient(billing);
  const retrying = await deliveries.listDeliveries({ ...ANY_DELIVERY, state: "retrying" });
  if (retrying === null) return { endpoints: [], counted: null };
  const [failed, notices] = await Promise.all([
    deliveries.listDeliveries({ ...ANY_DELIVERY, state: "failed", created_from: since }),
    deliveries.listNotices(),
  ]);
  if (failed === null) return { endpoints: [], counted: null };
  // Failures at a removed endpoint need no user's attention.
  const givenUp = await withoutRemovedEndpoints(
    db,
    owner,
    failed.results.map(({ webhook_id, endpoint_url }) => ({
      id: webhook_id,
      endpoint_url,
      is_active: false,
    })),
  );
  const switchedOff = notices?.results ?? [];
  const all = switchedOff.length > 0 ? (await listEndpoints(billing)).webhooks : [];
  const registered = await withoutRemovedEndpoints(db, owner, all);
  const off = registered.filter((webhook) => noticeFor(webhook, switchedOff) !== null);
  return {
    endpoints: groupFailingEndpoints(retrying.results, givenUp, off),
    counted: retrying.next === null && failed.next === null ? null : ANY_DELIVERY.page_size,
  };
}

type At = Pick<DeliveryRow, "endpoint_url">;

/**
 * Groups failing deliveries by URL, the most deliveries first.
 * @param off events that the service switched off
 */
export function groupFailingEndpoints(
  retrying: readonly At[],
  givenUp: readonly At[],
  off: readonly At[],
): FailingEndpoint[] {
  const urls = new Set([...retrying, ...givenUp, ...off].map((one) => one.endpoint_url));
  return [...urls]
    .map((endpoint_url) => {
      const isHere = (one: At) => one.endpoint_url === endpoint_url;
      return {
        endpoint_url,
        retrying: retrying.filter(isHere).length,
        given_up: givenUp.filter(isHere).length,
        is_off: off.some(isHere),
      };
    })
    .toSorted((a, b) => b.retrying + b.given_up - (a.retrying + a.given_up));
}

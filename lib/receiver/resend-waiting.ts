import "server-only";
import type pg from "pg";
import type { BillingClient } from "#lib/billing/client.ts";
import { ANY_DELIVERY, DeliveryClient } from "#lib/billing/delivery-client.ts";
import { openClient } from "#lib/billing/open-client.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database } from "#lib/db/pool.ts";
import { failureOf, isTemporaryFailure } from "#lib/failure.ts";

/** The sellers whose service was asked since this process began. */
const asked = new Set<string>();

/**
 * Has the service resend, once after each start of this process, the deliveries that failed while
 * the dashboard was down. By its own schedule the service would wait up to half an hour, and a failed
 * payment is reported by nothing but its delivery.
 */
export async function resendAfterStart(owner: KeyOwner): Promise<void> {
  const key = `${owner.seller_id} ${owner.mode}`;
  if (asked.has(key)) return;
  const failure = await resendWaiting(database(), owner, openClient(owner)).then(
    () => null,
    failureOf,
  );
  if (failure === null || !isTemporaryFailure(failure)) asked.add(key);
}

/** Has the newest deliveries that failed at the receiver resent, the oldest of them first. */
export async function resendWaiting(
  pool: Pick<pg.Pool, "query">,
  { seller_id, mode }: KeyOwner,
  billing: BillingClient,
): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(
    `select value::float8 as id from receiver, jsonb_each_text(registrations)
      where seller_id = $1 and mode = $2`,
    [seller_id, mode],
  );
  if (rows.length === 0) return;
  const own = new Set(rows.map(({ id }) => id));
  const deliveries = new DeliveryClient(billing);
  const page = await deliveries.listDeliveries({ ...ANY_DELIVERY, state: "retrying" });
  const waiting = page?.results.filter(({ webhook_id }) => own.has(webhook_id)) ?? [];
  for (const { id } of waiting.toReversed()) await deliveries.resendDelivery(id);
}

import type { Database } from "../db/database.ts";
import { detailError } from "../http/errors.ts";
import { requestHeaders } from "./sign.ts";
import {
  selectAttempts,
  selectDeliveries,
  selectDelivery,
  type AttemptRow,
  type DeliveryFilter,
  type DeliveryRow,
  type NoticeRow,
} from "./store.ts";

/** The same error for an unknown, another seller's and a deleted delivery (ADR 0051). */
export const noSuchDelivery = () =>
  detailError(404, "Not found. Finished deliveries are deleted after a while.");

/** @throws 404 for an unknown delivery or another seller's */
export async function getDelivery(database: Database, sellerId: number, deliveryId: number) {
  const row = await selectDelivery(database, sellerId, deliveryId);
  if (!row) throw noSuchDelivery();
  const attempts = await selectAttempts(database, sellerId, deliveryId);
  return {
    ...presentDelivery(row),
    body: row.body,
    attempt_list: attempts.map((attempt) => presentAttempt(row.event_id, row.body, attempt)),
  };
}

const presentDelivery = (row: DeliveryRow) => ({
  id: row.delivery_id,
  event_id: row.event_id,
  event: row.event,
  webhook_id: row.webhook_id,
  endpoint_url: row.endpoint_url,
  subscription_id: row.subscription_id,
  state: row.state,
  attempts: row.attempts,
  last_response_code: row.response_code,
  last_error: row.error,
  next_attempt_at: row.next_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
});

/** Includes the request as it was sent, so that its signature can be verified again. */
const presentAttempt = (eventId: string, body: string, row: AttemptRow) => ({
  started_at: row.started_at.toISOString(),
  duration_ms: row.duration_ms,
  request: {
    url: row.endpoint_url,
    headers: requestHeaders(eventId, row.started_at, row.signatures),
    body,
  },
  response:
    row.response_code === null ? null : { code: row.response_code, body: row.response_body },
  error: row.error,
});

export const presentNotice = ({ created_at, ...row }: NoticeRow) => ({
  ...row,
  created_at: created_at.toISOString(),
});

/**
 * Lists deliveries, newest first.
 * @param before the `next` of the previous page; null for the first
 * @returns `next`: null on the last page
 */
export async function listDeliveries(
  database: Database,
  sellerId: number,
  filter: DeliveryFilter,
  { before, limit }: { before: number | null; limit: number },
) {
  const rows = await selectDeliveries(database, sellerId, filter, { before, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const next = rows.length > limit ? (page.at(-1)?.delivery_id ?? null) : null;
  return { next, results: page.map(presentDelivery) };
}

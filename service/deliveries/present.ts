import type { AttemptRow, DeliveryRow, NoticeRow } from "./store.ts";
import { requestHeaders } from "./sign.ts";

export const presentDelivery = (row: DeliveryRow) => ({
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
export const presentAttempt = (eventId: string, body: string, row: AttemptRow) => ({
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

export const presentNotice = (row: NoticeRow) => ({
  id: row.notice_id,
  webhook_id: row.webhook_id,
  endpoint_url: row.endpoint_url,
  kind: row.kind,
  message: row.message,
  created_at: row.created_at.toISOString(),
});

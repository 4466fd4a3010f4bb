import type { Database } from "../db/database.ts";
import { detail } from "../http/errors.ts";
import { presentAttempt, presentDelivery } from "./present.ts";
import { selectAttempts, selectDelivery } from "./store.ts";

/** The same error for an unknown, another seller's and a deleted delivery (ADR 0051). */
export const noSuchDelivery = () =>
  detail(404, "Not found. Finished deliveries are deleted after a while.");

/** @throws 404 for an unknown delivery or another seller's */
export async function getDelivery(database: Database, sellerId: number, deliveryId: number) {
  const row = await selectDelivery(database, sellerId, deliveryId);
  if (!row) throw noSuchDelivery();
  const attempts = await selectAttempts(database, deliveryId);
  return {
    ...presentDelivery(row),
    body: row.body,
    attempt_list: attempts.map((attempt) => presentAttempt(row.event_id, row.body, attempt)),
  };
}

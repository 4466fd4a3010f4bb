import type { Database } from "../db/database.ts";
import { presentDelivery } from "./present.ts";
import { selectDeliveries, type DeliveryFilter } from "./store.ts";

/**
 * Newest first.
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

import type { Database } from "../db/database.ts";
import { stepsUntil } from "../lifecycle/elapsed.ts";
import type { Seller } from "../sellers/store.ts";
import type { RecordStep } from "./present.ts";
import { selectTimedUntil } from "./store.ts";

/** What time would do to the seller's records until then, if nobody pays or asks; changes nothing. */
export async function forecast(
  database: Database,
  seller: Seller,
  until: Date,
): Promise<RecordStep[]> {
  const rows = await selectTimedUntil(database, seller.seller_id, until);
  return rows
    .flatMap((row) =>
      stepsUntil(row, seller, until).map((step) => ({
        ...step,
        subscription_id: row.subscription_id,
      })),
    )
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

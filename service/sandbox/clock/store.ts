import type { Database } from "../../db/database.ts";
import type { Seller } from "../../sellers/store.ts";

/** Forward only: if two requests move it at once, the later time wins. */
export async function moveClockTo(
  database: Database,
  { seller_id }: Pick<Seller, "seller_id">,
  { target, realNow }: { target: Date; realNow: Date },
): Promise<void> {
  await database.query(
    "update seller set clock_offset_ms = greatest(clock_offset_ms, $2) where seller_id = $1",
    [seller_id, target.getTime() - realNow.getTime()],
  );
}

export async function resetClock(database: Database, sellerId: number): Promise<void> {
  await database.query("update seller set clock_offset_ms = 0 where seller_id = $1", [
    sellerId,
  ]);
}

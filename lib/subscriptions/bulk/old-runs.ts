import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database, type Database } from "#lib/db/pool.ts";

const KEPT_DAYS = 30;

/** An SQL condition on a row `r` of `bulk_run`: whether it is hidden and deleted. */
export const IS_OLD_RUN = `(r.created_at < now() - interval '${KEPT_DAYS} days')`;

/** Deletes a seller's old runs with the buyers' names in them; the sync worker calls it. */
export async function deleteOldBulkRuns(
  { seller_id, mode }: KeyOwner,
  db: Database = database(),
) {
  await db.query(
    `delete from bulk_run r where r.seller_id = $1 and r.mode = $2 and ${IS_OLD_RUN}`,
    [seller_id, mode],
  );
}

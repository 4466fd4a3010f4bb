import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { BULK_RUN_KEPT_DAYS } from "./rules.ts";

/** Deletes a seller's old runs with the buyers' names in them; the sync worker calls it. */
export async function deleteOldBulkRuns(
  { seller_id, mode }: KeyOwner,
  db: Database = database(),
) {
  await db.query(
    `delete from bulk_run where seller_id = $1 and mode = $2
        and created_at < now() - interval '${BULK_RUN_KEPT_DAYS} days'`,
    [seller_id, mode],
  );
}

import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { only, type Database } from "#lib/db/pool.ts";

/** Adds payments that records showed but no delivery reported. */
export async function recordSeenPayments(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<void> {
  // In batches: the first run after an update can find all payments ever seen.
  let settled: number;
  do {
    const { rows } = await db.query<{ settled: number }>(
      "select keep_shown_payments($1, $2) as settled",
      [seller_id, mode],
    );
    ({ settled } = only(rows));
  } while (settled > 0);
}

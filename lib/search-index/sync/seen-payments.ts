import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { only, type Database } from "#lib/db/pool.ts";

/** Payments that records of the copy showed come into the ledger, where no delivery told of them. */
export async function recordSeenPayments(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<void> {
  // A few at each call: the first after an update of Duebook can find all that were ever seen.
  let settled: number;
  do {
    const { rows } = await db.query<{ settled: number }>(
      "select keep_shown_payments($1, $2) as settled",
      [seller_id, mode],
    );
    ({ settled } = only(rows));
  } while (settled > 0);
}

import "server-only";
import type { KeyOwner } from "#lib/billing/api-key.ts";
import type { Database } from "#lib/db/pool.ts";

/** Payments that records of the copy showed come into the ledger, where no delivery told of them. */
export async function keepShownPayments(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<void> {
  await db.query("select keep_shown_payments($1, $2)", [seller_id, mode]);
}

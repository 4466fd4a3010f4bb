import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { isPaidOneTimeSql } from "./conditions.ts";

/** A subscription whose reminder may come due, and the moment from which that is counted. */
export interface Remindable {
  subscription_id: string;
  /** The billing date; of a checkout that was left, when it was made. */
  moment: Date;
}

interface Wanted {
  /** Whether first checkouts that wait for a payment are meant, and not billing dates. */
  isCheckout: boolean;
  from: Date;
  /** Before it. */
  to: Date;
  /** The last one of the previous page. */
  after: Remindable | null;
  limit: number;
}

/** Unpaid subscriptions by their moment, in order. */
export async function findRemindable(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { isCheckout, from, to, after, limit }: Wanted,
): Promise<Remindable[]> {
  const moment = isCheckout ? "s.created_at" : "s.next_billing_cycle";
  const isOnce = isPaidOneTimeSql("s", { seller_id: "$1", mode: "$2" });
  const fits = isCheckout
    ? "s.status = 'pending_checkout'"
    : `s.status in ('active', 'due') and not ${isOnce}`;
  const { rows } = await db.query<Remindable>(
    `select s.id as subscription_id, ${moment} as moment from mirror_subscription s
      where s.seller_id = $1 and s.mode = $2 and ${moment} >= $3 and ${moment} < $4 and ${fits}
        and ($5::timestamptz is null or (${moment}, s.id) > ($5, $6))
      order by ${moment}, s.id limit $7`,
    [seller_id, mode, from, to, after?.moment ?? null, after?.subscription_id ?? "", limit],
  );
  return rows;
}

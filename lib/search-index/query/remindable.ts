import "server-only";
import { queryRows } from "#contract/process/database.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { isPaidOneTimeSql } from "./conditions.ts";

/** A subscription whose reminder may become due, and the moment from which its days are counted. */
export interface Remindable {
  subscription_id: string;
  /** The billing date; for an unfinished checkout, when it was created. */
  moment: Date;
}

interface Wanted {
  /** Whether to find checkouts that wait for their first payment, instead of billing dates. */
  isCheckout: boolean;
  from: Date;
  /** The end of the interval, excluded. */
  to: Date;
  /** The last subscription of the previous page. */
  after: Remindable | null;
  limit: number;
}

/**
 * SQL of a subscription `s` that may be reminded, $1 and $2 being seller and mode: the moment, and
 * the condition that a payment is expected.
 */
export function remindableSql(isCheckout: boolean): { moment: string; fits: string } {
  if (isCheckout) return { moment: "s.created_at", fits: "s.status = 'pending_checkout'" };
  const isOnce = isPaidOneTimeSql("s", { seller_id: "$1", mode: "$2" });
  return {
    moment: "s.next_billing_cycle",
    fits: `s.status in ('active', 'due') and not ${isOnce}`,
  };
}

/** A page of the subscriptions that expect a payment and whose moment is in the interval, in order. */
export async function findRemindable(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { isCheckout, from, to, after, limit }: Wanted,
): Promise<Remindable[]> {
  const { moment, fits } = remindableSql(isCheckout);
  return queryRows<Remindable>(
    db,
    `select s.id as subscription_id, ${moment} as moment from mirror_subscription s
      where s.seller_id = $1 and s.mode = $2 and ${moment} >= $3 and ${moment} < $4 and ${fits}
        and ($5::timestamptz is null or (${moment}, s.id) > ($5, $6))
      order by ${moment}, s.id limit $7`,
    [seller_id, mode, from, to, after?.moment ?? null, after?.subscription_id ?? "", limit],
  );
}

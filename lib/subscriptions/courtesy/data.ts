import "server-only";
import type { Subscription } from "#contract/subscriptions.ts";
import type { SignedIn } from "#lib/auth/require-seller.ts";
import type { Database } from "#lib/db/pool.ts";
import { billingDay } from "../rules.ts";
import type { Courtesy } from "./rules.ts";

/** Whose courtesy it is. */
export type Giver = Pick<SignedIn, "owner"> & {
  user: Pick<SignedIn["user"], "id" | "name">;
  seller: Pick<SignedIn["seller"], "time_zone">;
};

interface Move {
  before: Subscription;
  /** The day that was asked for, YYYY-MM-DD, and the record as it came to be, where that could be read. */
  day: string;
  after: Subscription | null;
}

/**
 * Writes it down among what was done about the buyer, from the old day to the new one. It is about the
 * new billing date: what was promised for the old one has gone with it.
 */
export async function keepCourtesy(
  db: Database,
  { owner, user, seller: { time_zone } }: Giver,
  { reason, words }: Courtesy,
  { before, day, after }: Move,
): Promise<void> {
  const moment = Date.parse((after ?? before).next_billing_cycle ?? "");
  const detail = {
    before: billingDay(before, time_zone),
    after: after ? billingDay(after, time_zone) : day,
    reason,
    ...(words && { text: words }),
  };
  await db.query(
    `insert into contact (seller_id, mode, subscription_id, person_id, person_name, kind, cycle, detail)
     values ($1, $2, $3, $4, $5, 'courtesy', $6, $7)`,
    [
      owner.seller_id,
      owner.mode,
      before.subscription_id,
      user.id,
      user.name,
      Number.isNaN(moment) ? null : new Date(moment),
      detail,
    ],
  );
}

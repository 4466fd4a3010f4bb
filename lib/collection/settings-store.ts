import "server-only";
import { queryRows, concernsRow } from "#contract/process/database.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { daysBetween } from "#lib/format/calendar.ts";
import { dayInZone } from "#lib/format/format.ts";
import type { Grace } from "./rules.ts";

/** Members who may contact buyers. */
export async function readTeam(
  db: Database,
  { seller_id }: Pick<KeyOwner, "seller_id">,
): Promise<{ id: string; name: string }[]> {
  return queryRows<{ id: string; name: string }>(
    db,
    `select u.id, u.name from membership m join app_user u on u.id = m.user_id
      where m.seller_id = $1 and m.role <> 'viewer' order by lower(u.name), u.id`,
    [seller_id],
  );
}

/** Minimum number of ended subscriptions for an estimate. */
const FEWEST_SEEN = 3;
/** The longest grace period, in days. */
const LONGEST_GRACE = 90;
const MOST_ENDED = 200;

/** The grace period set by the seller, and an estimate from ended subscriptions. */
export async function readGrace(
  db: Database,
  { seller_id, mode }: KeyOwner,
  time_zone: string,
): Promise<Grace> {
  const { rows: said } = await db.query<{
    grace_days: number | null;
    is_in_account: boolean;
  }>(
    `select grace_days, exists (select 1 from billing_account where seller_id = $1)
            as is_in_account
       from seller where id = $1`,
    [seller_id],
  );
  const { rows } = await db.query<{ due_at: Date; seen_at: Date }>(
    `select old_next_billing as due_at, seen_at from subscription_change
      where seller_id = $1 and mode = $2 and is_lost and old_status = 'due'
        and new_status = 'inactive' and old_next_billing is not null
      order by seen_at desc limit ${MOST_ENDED}`,
    [seller_id, mode],
  );
  const dayOf = (moment: Date) => dayInZone(moment.toISOString(), time_zone);
  // A subscription ends on the day after its last day of grace.
  const seen = rows
    .map(({ due_at, seen_at }) => daysBetween(dayOf(due_at), dayOf(seen_at)) - 1)
    .filter((days) => days >= 0 && days <= LONGEST_GRACE);
  const { grace_days = null, is_in_account = false } = said[0] ?? {};
  return { set: grace_days, guess: mostOf(seen), is_in_account };
}

/** The most frequent value, if at least half of the subscriptions have it. */
function mostOf(days: number[]): number | null {
  if (days.length < FEWEST_SEEN) return null;
  const [most] = [...Map.groupBy(days, (one) => one)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  return most && most[1].length * 2 >= days.length ? most[0] : null;
}

/**
 * @param days null to remove the setting
 * @returns false if it is a setting of the seller's account
 */
export const saveGrace = (db: Database, seller_id: string, days: number | null) =>
  concernsRow(
    db,
    `update seller set grace_days = $2
      where id = $1 and not exists (select 1 from billing_account where seller_id = $1)`,
    [seller_id, days],
  );

import type { HoldReminders, ReminderHold } from "#contract/reminders.ts";
import { queryRow, queryRows, type Database } from "../db/database.ts";

type HoldRow = Omit<ReminderHold, "created_at"> & { created_at: Date };

const HOLD = `hold_id as id, subscription_id, until::text as until, step_id,
  schedule is not null as only_this_period, created_at`;

const present = (row: HoldRow): ReminderHold => ({
  ...row,
  created_at: row.created_at.toISOString(),
});

/**
 * Holds the reminders of a subscription until a day, or one step of its current period. A new day
 * replaces the last one; a step that is held already stays held once.
 * @returns null for a subscription or a step that is not the seller's
 */
export async function holdReminders(
  database: Database,
  sellerId: number,
  { subscription_id, until, step_id, only_this_period }: HoldReminders,
  at: Date,
): Promise<ReminderHold | null> {
  const unique =
    step_id === undefined
      ? "(seller_id, subscription_id) where until is not null"
      : "(seller_id, subscription_id, step_id, schedule, period_start) where step_id is not null";
  const row = await queryRow<HoldRow>(
    database,
    `insert into reminder_hold (seller_id, subscription_id, until, step_id, schedule, period_start,
       created_at)
     select s.seller_id, s.subscription_id, $3::date, $4::bigint,
       case when $6 then s.schedule end, case when $6 then s.next_billing_cycle end, $5
     from subscription s where s.seller_id = $1 and s.subscription_id = $2
       and ($4::bigint is null or exists (
         select from reminder_step t where t.step_id = $4 and t.seller_id = $1))
     on conflict ${unique}
       do update set until = excluded.until, schedule = excluded.schedule,
         period_start = excluded.period_start, created_at = excluded.created_at
     returning ${HOLD}`,
    [
      sellerId,
      subscription_id,
      until ?? null,
      step_id ?? null,
      at,
      only_this_period || step_id !== undefined,
    ],
  );
  return row && present(row);
}

/** @returns the removed hold; null if the seller has none with that id */
export async function removeHold(
  database: Database,
  sellerId: number,
  id: number,
): Promise<ReminderHold | null> {
  const row = await queryRow<HoldRow>(
    database,
    `delete from reminder_hold where seller_id = $1 and hold_id = $2 returning ${HOLD}`,
    [sellerId, id],
  );
  return row && present(row);
}

const MOST_LISTED = 100;

/** The holds of a subscription, newest first. */
export async function selectHolds(
  database: Database,
  sellerId: number,
  subscriptionId: string,
): Promise<ReminderHold[]> {
  const rows = await queryRows<HoldRow>(
    database,
    `select ${HOLD} from reminder_hold where seller_id = $1 and subscription_id = $2
     order by hold_id desc limit ${MOST_LISTED}`,
    [sellerId, subscriptionId],
  );
  return rows.map(present);
}

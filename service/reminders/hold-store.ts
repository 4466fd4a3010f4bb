import type { HoldReminders, ReminderHold } from "#contract/reminders.ts";
import { queryRow, type Database } from "../db/database.ts";

/**
 * Holds the reminders of a subscription until a day, or one step of its current period. A new day
 * replaces the last one.
 * @returns null for a subscription that the seller has not
 */
export async function holdReminders(
  database: Database,
  sellerId: number,
  { subscription_id, until, step_id }: HoldReminders,
  at: Date,
): Promise<ReminderHold | null> {
  const row = await queryRow<Omit<ReminderHold, "created_at"> & { created_at: Date }>(
    database,
    `insert into reminder_hold (seller_id, subscription_id, until, step_id, schedule, period_start,
       created_at)
     select s.seller_id, s.subscription_id, $3::date, $4::bigint,
       case when $4::bigint is not null then s.schedule end,
       case when $4::bigint is not null then s.next_billing_cycle end, $5
     from subscription s where s.seller_id = $1 and s.subscription_id = $2
     on conflict (subscription_id) where until is not null
       do update set until = excluded.until, created_at = excluded.created_at
     returning hold_id as id, subscription_id, until::text as until, step_id, created_at`,
    [sellerId, subscription_id, until ?? null, step_id ?? null, at],
  );
  return row && { ...row, created_at: row.created_at.toISOString() };
}

/** @returns the removed hold; null if the seller has none of that number */
export async function removeHold(
  database: Database,
  sellerId: number,
  id: number,
): Promise<ReminderHold | null> {
  const row = await queryRow<Omit<ReminderHold, "created_at"> & { created_at: Date }>(
    database,
    `delete from reminder_hold where seller_id = $1 and hold_id = $2
     returning hold_id as id, subscription_id, until::text as until, step_id, created_at`,
    [sellerId, id],
  );
  return row && { ...row, created_at: row.created_at.toISOString() };
}

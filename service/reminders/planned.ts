import type { PlannedReminders } from "#contract/reminders.ts";
import type { PlannedState, SendingChannel } from "#contract/names.ts";
import { queryRows, queryValue, type Database } from "../db/database.ts";
import type { Seller } from "../sellers/store.ts";
import { dayIn } from "#contract/process/local-day.ts";
import { runMoment, runsToCome } from "#contract/process/reminder-calendar.ts";
import { holdsSql, isRunEnded, selectPlanned } from "./plan-store.ts";
import type { Schedule } from "./schedule-store.ts";

const SHOWN = 100;

interface Day {
  schedule: Schedule;
  seller: Seller;
  /** YYYY-MM-DD */
  day: string;
  /** By the seller's clock. */
  now: Date;
}

type Row = PlannedReminders["results"][number];

/** What goes out on a day, with what went out and what is held. */
export async function plannedReminders(
  database: Database,
  { schedule, seller, day, now }: Day,
): Promise<PlannedReminders> {
  const queued = await selectQueued(database, seller, day);
  const rows = queued.map((row): Row => ({ ...row, at: row.at.toISOString() }));
  let count = await countQueued(database, seller, day);
  const date = Temporal.PlainDate.from(day);
  const runs =
    schedule.is_on && seller.kyc_verified
      ? runsToCome(schedule, seller, { day: date, now })
      : [];
  for (const run of runs) {
    if (await isRunEnded(database, run)) continue;
    const planned = await selectPlanned(database, seller.seller_id, run, SHOWN);
    count += planned[0]?.count ?? 0;
    rows.push(
      ...planned.map(
        ({ subscription_id, full_name, phone, email, moment, channel, hold_id }): Row => ({
          step_id: run.step.step_id,
          subscription_id,
          full_name,
          at: runMoment(schedule, seller, run, { moment, now }).toISOString(),
          channel: channel as SendingChannel | null,
          to: channel === "email" || phone === "" ? email : phone,
          state: hold_id === null ? "planned" : "held",
          error: null,
          error_code: null,
          hold_id,
          message_id: null,
        }),
      ),
    );
  }
  const results = rows.toSorted((one, other) => one.at.localeCompare(other.at)).slice(0, SHOWN);
  return { day, is_on: schedule.is_on, count, results };
}

type QueuedRow = Omit<Row, "at" | "state"> & { at: Date; state: PlannedState };

const selectQueued = (database: Database, { seller_id, time_zone }: Seller, day: string) => {
  const [from, to] = dayIn(day, time_zone);
  return queryRows<QueuedRow>(
    database,
    `select r.step_id, r.subscription_id, s.full_name, coalesce(r.sent_at, r.planned_at) as at,
       c.channel, case when c.channel = 'email' or m.phone = '' then m.email else m.phone end as to,
       case when h.hold_id is null then m.state else 'held' end as state, m.error, m.error_code, h.hold_id,
       m.message_id
     from reminder r join message m using (message_id)
     join subscription s on s.subscription_id = r.subscription_id
     left join message_channel c using (channel_id)
     ${heldWhileQueuedSql("$5::date")}
     where r.seller_id = $1 and r.planned_at >= $2 and r.planned_at < $3
     order by r.planned_at, r.message_id limit $4`,
    [seller_id, from, to, SHOWN, day],
  );
};

/** SQL: the hold h of a reminder that waits and is withdrawn as it would be sent. */
const heldWhileQueuedSql = (day: string) => `left join lateral (
    select h.hold_id from reminder_hold h
    where m.state = 'queued' and ${holdsSql({ day, step: "r.step_id" })} limit 1) h on true`;

async function countQueued(database: Database, { seller_id, time_zone }: Seller, day: string) {
  const count = await queryValue<number>(
    database,
    `select count(*)::int from reminder r join message m using (message_id)
     join subscription s on s.subscription_id = r.subscription_id
     ${heldWhileQueuedSql("$4::date")}
     where r.seller_id = $1 and r.planned_at >= $2 and r.planned_at < $3
       and m.state not in ('withdrawn', 'failed', 'expired') and h.hold_id is null`,
    [seller_id, ...dayIn(day, time_zone), day],
  );
  return count ?? 0;
}

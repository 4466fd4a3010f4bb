import type { ChangeReminderSchedule } from "#contract/reminders.ts";
import type { MessageLanguage } from "#contract/names.ts";
import type { ScheduleTimes, ReminderStep } from "#contract/process/reminder-calendar.ts";
import { queryRow, queryRows, type Database } from "../db/database.ts";
import type { Seller } from "../sellers/store.ts";

export interface Schedule extends ScheduleTimes {
  seller_id: number;
  is_on: boolean;
  language: MessageLanguage;
  most_a_week: number | null;
  version: string | null;
}

const SCHEDULE = `select r.seller_id, r.is_on, r.since, r.since_offset_ms, r.language, r.quiet_from,
  r.quiet_to, r.weekdays, r.most_a_week, r.version from reminder_schedule r`;

/** A schedule as it is before a seller saves one. */
export const emptySchedule = ({ seller_id, clock_offset_ms }: Seller, at: Date): Schedule => ({
  seller_id,
  is_on: false,
  since: at,
  since_offset_ms: clock_offset_ms,
  language: "en",
  quiet_from: "20:00",
  quiet_to: "08:00",
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  most_a_week: 3,
  version: null,
  steps: [],
});

async function withSteps(
  database: Database,
  rows: Omit<Schedule, "steps">[],
): Promise<Schedule[]> {
  if (rows.length === 0) return [];
  const steps = await queryRows<ReminderStep & { seller_id: number }>(
    database,
    `select seller_id, step_id, kind, days, hours, at_time, channel, texts, since, since_offset_ms
     from reminder_step where seller_id = any ($1) order by seller_id, position`,
    [rows.map(({ seller_id }) => seller_id)],
  );
  const own = Map.groupBy(steps, ({ seller_id }) => seller_id);
  return rows.map((row) => ({ ...row, steps: own.get(row.seller_id) ?? [] }));
}

/** A seller's schedule; null before it saved one. */
export async function selectSchedule(
  database: Database,
  sellerId: number,
): Promise<Schedule | null> {
  const row = await queryRow<Omit<Schedule, "steps">>(
    database,
    `${SCHEDULE} where r.seller_id = $1`,
    [sellerId],
  );
  return (row && (await withSteps(database, [row])).at(0)) ?? null;
}

/** The schedules that are on, of sellers that may take payments. */
export async function selectSchedulesOn(
  database: Database,
  sellerId: number | null,
): Promise<Schedule[]> {
  const rows = await queryRows<Omit<Schedule, "steps">>(
    database,
    `${SCHEDULE} join seller s using (seller_id)
     where r.is_on and s.kyc_verified and ($1::bigint is null or r.seller_id = $1)
     order by r.seller_id`,
    [sellerId],
  );
  return withSteps(database, rows);
}

/** A schedule with changes; a step keeps its `since` if its time does, and the schedule was on. */
export function changedSchedule(
  known: Schedule,
  {
    is_on = known.is_on,
    quiet_hours,
    steps,
    ...change
  }: Omit<ChangeReminderSchedule, "version">,
  { clock_offset_ms }: Seller,
  at: Date,
): Schedule {
  const begun = { since: at, since_offset_ms: clock_offset_ms };
  const isSwitchedOn = is_on && !known.is_on;
  const kept = ({ since, since_offset_ms }: ReminderStep) =>
    isSwitchedOn ? begun : { since, since_offset_ms };
  const changed = steps?.map(({ id, time, ...step }): ReminderStep => {
    const old = known.steps.find(({ step_id }) => step_id === id);
    const isSameTime =
      old?.kind === step.kind &&
      old.days === step.days &&
      old.hours === step.hours &&
      old.at_time === time;
    return {
      ...step,
      step_id: old?.step_id ?? 0,
      at_time: time,
      ...(old && isSameTime ? kept(old) : begun),
    };
  });
  return {
    ...known,
    is_on,
    ...(isSwitchedOn && begun),
    language: change.language ?? known.language,
    weekdays: change.weekdays ?? known.weekdays,
    most_a_week: change.most_a_week === undefined ? known.most_a_week : change.most_a_week,
    ...(quiet_hours !== undefined && {
      quiet_from: quiet_hours?.from ?? null,
      quiet_to: quiet_hours?.to ?? null,
    }),
    steps: changed ?? known.steps.map((step) => ({ ...step, ...kept(step) })),
  };
}

/**
 * Stores a schedule that was made from a version; null for the first one.
 * @returns false if it was changed since
 */
export async function saveSchedule(
  database: Database,
  { steps, ...schedule }: Schedule,
  version: string | null,
): Promise<boolean> {
  const { seller_id } = schedule;
  const { rowCount } = await database.query(
    `insert into reminder_schedule as r (seller_id, is_on, since, since_offset_ms, language,
       quiet_from, quiet_to, weekdays, most_a_week)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9
     where $10::uuid is null or exists (select from reminder_schedule where seller_id = $1)
     on conflict (seller_id) do update set is_on = excluded.is_on, since = excluded.since,
       since_offset_ms = excluded.since_offset_ms, language = excluded.language,
       quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
       weekdays = excluded.weekdays, most_a_week = excluded.most_a_week,
       version = gen_random_uuid()
     where r.version = $10`,
    [
      seller_id,
      schedule.is_on,
      schedule.since,
      schedule.since_offset_ms,
      schedule.language,
      schedule.quiet_from,
      schedule.quiet_to,
      schedule.weekdays,
      schedule.most_a_week,
      version,
    ],
  );
  if (rowCount === 0) return false;
  await database.query(
    "delete from reminder_step where seller_id = $1 and step_id <> all ($2)",
    [seller_id, steps.map(({ step_id }) => step_id)],
  );
  for (const [position, step] of steps.entries())
    await saveStep(database, seller_id, { ...step, position });
  return true;
}

const saveStep = (
  database: Database,
  sellerId: number,
  step: ReminderStep & { position: number },
) => {
  const values = [
    sellerId,
    step.position,
    step.kind,
    step.days,
    step.hours,
    step.at_time,
    step.channel,
    JSON.stringify(step.texts),
    step.since,
    step.since_offset_ms,
  ];
  return step.step_id === 0
    ? database.query(
        `insert into reminder_step (seller_id, position, kind, days, hours, at_time, channel, texts,
           since, since_offset_ms) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        values,
      )
    : // What was planned of the step counts only while the step's time is the same.
      database.query(
        `update reminder_step set position = $2, kind = $3, days = $4, hours = $5, at_time = $6,
           channel = $7, texts = $8, since = $9, since_offset_ms = $10,
           run_day = case when since = $9 then run_day end
         where seller_id = $1 and step_id = $11`,
        [...values, step.step_id],
      );
};

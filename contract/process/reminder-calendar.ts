import type { ReminderStepKind, SendingChannel } from "../names.ts";
import type { ReminderStepInput } from "../reminders.ts";
import { dayIn, localDate } from "./local-day.ts";

const HOUR = 3_600_000;

export interface ReminderStep {
  step_id: number;
  kind: ReminderStepKind;
  days: number | null;
  hours: number | null;
  /** Local time, HH:MM. */
  at_time: string | null;
  channel: SendingChannel | null;
  texts: ReminderStepInput["texts"];
  /** Real time; see `sinceOf`. */
  since: Date;
  since_offset_ms: number;
}

/** The fields of a schedule that decide when its reminders are sent. */
export interface ScheduleTimes {
  since: Date;
  since_offset_ms: number;
  /** Local times, HH:MM. */
  quiet_from: string | null;
  quiet_to: string | null;
  /** 1 is Monday. */
  weekdays: number[];
  steps: ReminderStep[];
}

/** The fields of a seller that decide when its reminders are sent. */
interface SellerTime {
  time_zone: string;
  grace_days: number;
  clock_offset_ms: number;
}

type Hours = Pick<ScheduleTimes, "quiet_from" | "quiet_to" | "weekdays">;
type Day = Temporal.PlainDate;

const isBefore = (one: Day, other: Day) => Temporal.PlainDate.compare(one, other) < 0;
const latest = (days: Day[]) =>
  days.reduce((one, other) => (isBefore(one, other) ? other : one));
const zoned = (at: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
const momentOf = (day: Day, time: string, timeZone: string) =>
  new Date(
    day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) })
      .epochMilliseconds,
  );
const startOf = (day: Day, timeZone: string) => dayIn(day.toString(), timeZone)[0];

/** Whether a local time, HH:MM, lies in the quiet hours. */
export function isQuietTime({ quiet_from, quiet_to }: Hours, time: string): boolean {
  if (quiet_from === null || quiet_to === null) return false;
  return quiet_from < quiet_to
    ? time >= quiet_from && time < quiet_to
    : time >= quiet_from || time < quiet_to;
}

const timeOf = (at: Temporal.ZonedDateTime) =>
  at.toPlainTime().toString({ smallestUnit: "minute" });

/** The first moment at or after `at` on an allowed weekday and outside the quiet hours. */
export function nextAllowed(hours: Hours, timeZone: string, at: Date): Date {
  let moment = at;
  // A week without an allowed moment cannot be stored.
  for (let tries = 0; tries < 20; tries += 1) {
    const local = zoned(moment, timeZone);
    const day = local.toPlainDate();
    if (!hours.weekdays.includes(day.dayOfWeek))
      moment = startOf(day.add({ days: 1 }), timeZone);
    else if (hours.quiet_to !== null && isQuietTime(hours, timeOf(local))) {
      const isLate = timeOf(local) >= hours.quiet_to;
      moment = momentOf(isLate ? day.add({ days: 1 }) : day, hours.quiet_to, timeZone);
    } else return moment;
  }
  return moment;
}

export const isAllowed = (hours: Hours, timeZone: string, at: Date) =>
  nextAllowed(hours, timeZone, at).getTime() === at.getTime();

/** The end of a moment's local day. */
export const endOfDay = (at: Date, timeZone: string): Date =>
  dayIn(localDate(at, timeZone).toString(), timeZone)[1];

/**
 * When the allowed hours around a moment end: as the quiet hours begin, or at the end of the local
 * day.
 */
export function allowedUntil({ quiet_from }: Hours, timeZone: string, at: Date): Date {
  const local = zoned(at, timeZone);
  return quiet_from !== null && quiet_from > timeOf(local)
    ? momentOf(local.toPlainDate(), quiet_from, timeZone)
    : endOfDay(at, timeZone);
}

/**
 * Since when the schedule or step applies, by the seller's clock, or by the clock as it is now if it
 * was set back since.
 */
export const sinceOf = (
  { since, since_offset_ms }: Pick<ReminderStep, "since" | "since_offset_ms">,
  { clock_offset_ms }: SellerTime,
) => new Date(since.getTime() + Math.min(since_offset_ms, clock_offset_ms));

/** Days from the billing date to the step; null for a checkout that was left. */
export function offsetOf(
  { kind, days }: Pick<ReminderStep, "kind" | "days">,
  graceDays: number,
): number | null {
  if (kind === "checkout_left") return null;
  if (kind === "last_day") return graceDays;
  return kind === "on_day" ? 0 : (days ?? 0) * (kind === "before" ? -1 : 1);
}

/** The first billing date, or time of an abandoned checkout, whose step is still to come. */
export function firstMoment(
  step: Pick<ReminderStep, "kind" | "days" | "hours">,
  { time_zone, grace_days }: Omit<SellerTime, "clock_offset_ms">,
  now: Date,
): Date {
  const offset = offsetOf(step, grace_days);
  return offset === null
    ? new Date(now.getTime() - (step.hours ?? 0) * HOUR)
    : startOf(localDate(now, time_zone).subtract({ days: offset }), time_zone);
}

/**
 * When a step would be sent for a billing date or the time of an abandoned checkout, if nothing
 * changes.
 */
export function stepMoment(
  hours: Hours,
  step: Pick<ReminderStep, "kind" | "days" | "hours" | "at_time">,
  {
    moment,
    now,
    time_zone,
    grace_days,
  }: Omit<SellerTime, "clock_offset_ms"> & {
    moment: Date;
    now: Date;
  },
): Date {
  const offset = offsetOf(step, grace_days);
  const planned =
    offset === null
      ? new Date(moment.getTime() + (step.hours ?? 0) * HOUR)
      : momentOf(
          localDate(moment, time_zone).add({ days: offset }),
          step.at_time ?? "00:00",
          time_zone,
        );
  return nextAllowed(hours, time_zone, planned > now ? planned : now);
}

/** A step on one local day, for the subscriptions of an interval. */
export interface Run {
  step: ReminderStep;
  day: string;
  /** When the run is sent; for checkouts that were left, the earliest time on that day. */
  at: Date;
  /**
   * The billing dates of the run, or the times at which its checkouts were left: from `from` on,
   * before `to`.
   */
  from: Date;
  to: Date;
}

/** The latest day before that day on which messages may be sent. */
function previousAllowedDay({ weekdays }: Hours, day: Day): Day {
  let previous = day.subtract({ days: 1 });
  while (!weekdays.includes(previous.dayOfWeek)) previous = previous.subtract({ days: 1 });
  return previous;
}

/**
 * The steps of a day. A step whose own day is not an allowed weekday is sent on the next allowed
 * one, unless a later step of the same billing date comes first.
 */
function runsOfDay(schedule: ScheduleTimes, seller: SellerTime, day: Day): Run[] {
  if (!schedule.weekdays.includes(day.dayOfWeek)) return [];
  const previous = previousAllowedDay(schedule, day);
  const { time_zone, grace_days } = seller;
  const since = localDate(sinceOf(schedule, seller), time_zone);
  /**
   * The first day on which a step applies: its time on that day is not before the step was added.
   */
  const firstDay = (step: ReminderStep): Day => {
    const start = zoned(sinceOf(step, seller), time_zone);
    const date = start.toPlainDate();
    const isLater =
      step.at_time !== null && Temporal.PlainTime.compare(start, step.at_time) > 0;
    return isLater ? date.add({ days: 1 }) : date;
  };
  const valid = schedule.steps.filter((step) => !isBefore(day, firstDay(step)));
  const offsets = valid.flatMap((step) => offsetOf(step, grace_days) ?? []);
  return valid.flatMap((step): Run[] => {
    const offset = offsetOf(step, grace_days);
    const place = { step, day: day.toString() };
    if (offset === null) {
      const left = leftOn(schedule, seller, { step, day, previous });
      return left ? [{ ...place, ...left }] : [];
    }
    const later = offsets.filter((one) => one > offset).toSorted((a, b) => a - b)[0];
    const first = latest([
      previous.add({ days: 1 }).subtract({ days: offset }),
      firstDay(step).subtract({ days: offset }),
      since,
      ...(later === undefined ? [] : [day.add({ days: 1 }).subtract({ days: later })]),
    ]);
    const last = day.subtract({ days: offset });
    if (isBefore(last, first)) return [];
    return [
      {
        ...place,
        at: momentOf(day, step.at_time ?? "00:00", time_zone),
        from: startOf(first, time_zone),
        to: startOf(last.add({ days: 1 }), time_zone),
      },
    ];
  });
}

/** The day's run of a step for checkouts that were left the step's hours before. */
function leftOn(
  schedule: ScheduleTimes,
  seller: SellerTime,
  { step, day, previous }: { step: ReminderStep; day: Day; previous: Day },
): Pick<Run, "at" | "from" | "to"> | null {
  const { time_zone } = seller;
  const hours = (step.hours ?? 0) * HOUR;
  const { quiet_from, quiet_to } = schedule;
  const isOverNight = quiet_from !== null && quiet_to !== null && quiet_from > quiet_to;
  // A step that falls into the evening's quiet hours is sent on the next allowed day.
  const from = isOverNight
    ? momentOf(previous, quiet_from, time_zone)
    : startOf(previous.add({ days: 1 }), time_zone);
  const end = isOverNight
    ? momentOf(day, quiet_from, time_zone)
    : startOf(day.add({ days: 1 }), time_zone);
  const since = Math.max(
    sinceOf(step, seller).getTime(),
    sinceOf(schedule, seller).getTime(),
    from.getTime() - hours,
  );
  const run = { from: new Date(since), to: new Date(end.getTime() - hours) };
  const at = nextAllowed(schedule, time_zone, new Date(since + hours));
  return run.from < run.to && at < end ? { ...run, at } : null;
}

/**
 * The reminders to plan at a moment of the seller's clock. Of several steps on one day for one
 * billing date, only the latest one is planned.
 */
export function dueRuns(schedule: ScheduleTimes, seller: SellerTime, now: Date): Run[] {
  const { time_zone, grace_days } = seller;
  if (!isAllowed(schedule, time_zone, now)) return [];
  const runs = runsOfDay(schedule, seller, localDate(now, time_zone)).filter(
    ({ at }) => at <= now,
  );
  const newest = new Map<number, Run>();
  for (const run of runs) {
    const offset = offsetOf(run.step, grace_days);
    if (offset === null) continue;
    const known = newest.get(offset);
    if (!known || known.at <= run.at) newest.set(offset, run);
  }
  return runs.flatMap((run) => {
    const offset = offsetOf(run.step, grace_days);
    if (offset !== null) return newest.get(offset) === run ? [run] : [];
    const until = new Date(now.getTime() - (run.step.hours ?? 0) * HOUR + 1);
    return [{ ...run, to: until < run.to ? until : run.to }];
  });
}

/**
 * The steps of a day that are still to come; of today's, without those that a newer step replaced.
 */
export function runsToCome(
  schedule: ScheduleTimes,
  seller: SellerTime,
  { day, now }: { day: Day; now: Date },
): Run[] {
  const order = Temporal.PlainDate.compare(day, localDate(now, seller.time_zone));
  if (order < 0) return [];
  const runs = runsOfDay(schedule, seller, day);
  if (order > 0) return runs;
  const due = dueRuns(schedule, seller, now).map(({ step }) => step.step_id);
  return runs.filter(
    ({ at, step }) => at > now || step.kind === "checkout_left" || due.includes(step.step_id),
  );
}

/** When a run is sent for a billing date, or for the time at which a checkout was left. */
export const runMoment = (
  schedule: ScheduleTimes,
  seller: SellerTime,
  { step, at }: Run,
  of: { moment: Date; now: Date },
): Date =>
  step.kind === "checkout_left" ? stepMoment(schedule, step, { ...seller, ...of }) : at;

import { addIntervals, billingMoment, type Interval } from "../subscriptions/periods.ts";

/**
 * Converts days, as integers relative to today (0), to dates. Cached, because a million rows use
 * few days.
 */
export function createCalendar(today: Temporal.PlainDate, timeZone: string) {
  const dateOf = remember((day: number) => today.add({ days: day }));
  const startOf = remember(
    (day: number) => dateOf(day).toZonedDateTime(timeZone).epochMilliseconds,
  );
  const billingTimes = remember((day: number) =>
    billingMoment(dateOf(day), timeZone).getTime(),
  );
  const moved = new Map<string, number>();
  return {
    dayOfMonth: (day: number) => dateOf(day).day,
    /** The start of that day in the seller's time zone, in epoch milliseconds. */
    startOf,
    billingMoment: (day: number) => new Date(billingTimes(day)),
    move: (day: number, interval: Interval, count: number) => {
      const key = `${day} ${interval.interval_type} ${interval.interval_count * count}`;
      const known = moved.get(key);
      if (known !== undefined) return known;
      const date = addIntervals(dateOf(day), interval, dateOf(day).day, count);
      const result = today.until(date).days;
      moved.set(key, result);
      return result;
    },
  };
}

export type Calendar = ReturnType<typeof createCalendar>;

function remember<Value>(compute: (day: number) => Value) {
  const known = new Map<number, Value>();
  return (day: number) => {
    const found = known.get(day);
    if (found !== undefined) return found;
    const value = compute(day);
    known.set(day, value);
    return value;
  };
}

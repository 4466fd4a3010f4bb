export interface Interval {
  interval_type: string;
  interval_count: number;
}

/** The calendar date that a moment falls on in that zone (an alias such as Asia/Katmandu works). */
export function localDate(moment: Date, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
}

/**
 * ADR 0005: a billing date is a day; as a moment it is noon of that day in the seller's zone, so
 * that a reader in UTC, or one who cuts off the time, still reads the same day.
 */
export function billingMoment(date: Temporal.PlainDate, timeZone: string): Date {
  const noon = date.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(12) });
  return new Date(noon.epochMilliseconds);
}

/** `count` intervals after `from`, on the anchor day or the month's last day before it. */
export function addIntervals(
  from: Temporal.PlainDate,
  { interval_type, interval_count }: Interval,
  anchorDay: number,
  count = 1,
): Temporal.PlainDate {
  const amount = interval_count * count;
  if (interval_type === "day") return from.add({ days: amount });
  if (interval_type === "week") return from.add({ weeks: amount });
  const month = from
    .with({ day: 1 })
    .add(interval_type === "year" ? { years: amount } : { months: amount });
  return month.with({ day: Math.min(anchorDay, month.daysInMonth) });
}

interface Renewal {
  /** The billing date that is being paid for. */
  billingDate: Temporal.PlainDate;
  today: Temporal.PlainDate;
  interval: Interval;
  anchorDay: number;
}

/** ADR 0004: the missed date plus whole intervals until it lies ahead; paid early, plus one. */
export function renewedBillingDate({ billingDate, today, interval, anchorDay }: Renewal) {
  let count = 1;
  let next = addIntervals(billingDate, interval, anchorDay, count);
  while (Temporal.PlainDate.compare(next, today) <= 0) {
    count += 1;
    next = addIntervals(billingDate, interval, anchorDay, count);
  }
  return next;
}

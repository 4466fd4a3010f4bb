/** The calendar date of a time in that zone (an alias such as Asia/Katmandu works). */
export function localDate(moment: Date, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
}

/** The first moment of a day, YYYY-MM-DD, in that zone and the first of the next day. */
export function dayIn(day: string, timeZone: string): [from: Date, to: Date] {
  const date = Temporal.PlainDate.from(day);
  const startOf = (one: Temporal.PlainDate) =>
    new Date(one.toZonedDateTime(timeZone).epochMilliseconds);
  return [startOf(date), startOf(date.add({ days: 1 }))];
}

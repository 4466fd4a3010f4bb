import "server-only";

/**
 * The moment at which clocks in the zone show a local time, ISO 8601 in UTC; the earlier one where
 * they show it twice. A zone that nobody knows counts as UTC.
 * @param local YYYY-MM-DD or YYYY-MM-DDTHH:MM; a day alone is its first moment
 * @returns null for what is no such text
 */
export function zonedMoment(local: string, timeZone: string): string | null {
  try {
    const time = Temporal.PlainDateTime.from(local);
    return inZone(time, timeZone).toInstant().toString({ fractionalSecondDigits: 3 });
  } catch {
    return null;
  }
}

function inZone(time: Temporal.PlainDateTime, timeZone: string): Temporal.ZonedDateTime {
  try {
    return time.toZonedDateTime(timeZone);
  } catch {
    return time.toZonedDateTime("UTC");
  }
}

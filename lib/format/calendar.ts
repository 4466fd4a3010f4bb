/**
 * Arithmetic on calendar days, YYYY-MM-DD. No zone takes part in it, so none can shift a day; which
 * day a moment belongs to is `calendarDay`'s question.
 */

const DAY_MS = 86_400_000;

/** Written in full and on the calendar: 30 February is no day, and no database has a year 0. */
export function isDay(text: string): boolean {
  return /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) && write(Date.parse(text)) === text;
}

/** The same day when the sum leaves the calendar of four-digit years. */
export function addDays(day: string, days: number): string {
  return write(Date.parse(day) + days * DAY_MS) ?? day;
}

/** The same day of a later month, or that month's last day: 31 January and a month is 28 February. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const last = lastOf(year, month + months);
  return write(Math.min(Date.UTC(year, month - 1 + months, date), last)) ?? day;
}

export function endOfMonth(day: string): string {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return write(lastOf(year, month)) ?? day;
}

/** How many days `to` is after `from`; negative when it is before. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** The day before the next month's first, at midnight in UTC. */
const lastOf = (year: number, month: number) => Date.UTC(year, month, 0);

function write(time: number): string | null {
  const text =
    Number.isNaN(time) || Math.abs(time) > 8.64e15 ? "" : new Date(time).toISOString();
  return /^\d{4}-/.test(text) ? text.slice(0, 10) : null;
}

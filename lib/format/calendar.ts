// Arithmetic on calendar days, YYYY-MM-DD, without time zones.

const DAY_MS = 86_400_000;

/** Whether the text is an existing date from year 1 to 9999. */
export function isDay(text: string): boolean {
  return /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) && write(Date.parse(text)) === text;
}

/** The day some days later or earlier; the day itself if the result is out of range. */
export function addDays(day: string, days: number): string {
  return write(Date.parse(day) + days * DAY_MS) ?? day;
}

/** The same day of a later month, or its last day: 31 January plus a month is 28 February. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const last = lastOf(year, month + months);
  return write(Math.min(Date.UTC(year, month - 1 + months, date), last)) ?? day;
}

export function endOfMonth(day: string): string {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return write(lastOf(year, month)) ?? day;
}

/** Days from `from` to `to`; negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

const lastOf = (year: number, month: number) => Date.UTC(year, month, 0);

function write(time: number): string | null {
  const text =
    Number.isNaN(time) || Math.abs(time) > 8.64e15 ? "" : new Date(time).toISOString();
  return /^\d{4}-/.test(text) ? text.slice(0, 10) : null;
}

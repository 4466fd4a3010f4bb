const DAY = 86_400_000;

/** A day as the number of days since 1970-01-01; zones of the model have one offset all year. */
export type DayNumber = number;

export const dayOf = (moment: number, offset: number): DayNumber =>
  Math.floor((moment + offset) / DAY);
export const startOfDayNumber = (day: DayNumber, offset: number) => day * DAY - offset;
export const noonOf = (day: DayNumber, offset: number) =>
  new Date(startOfDayNumber(day, offset) + DAY / 2);
export const dayText = (day: DayNumber) => new Date(day * DAY).toISOString().slice(0, 10);
export const monthDayOf = (day: DayNumber) => new Date(day * DAY).getUTCDate();

/** The day `anchor` of the month that is `months` later, or the last day of that month. */
function addMonths(day: DayNumber, months: number, anchor: number): DayNumber {
  const date = new Date(day * DAY);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(anchor, last)) / DAY;
}

export interface Interval {
  unit: "day" | "week" | "month" | "year";
  count: number;
}

export function addInterval(
  day: DayNumber,
  { unit, count }: Interval,
  times: number,
  anchor: number,
): DayNumber {
  if (unit === "day") return day + count * times;
  if (unit === "week") return day + 7 * count * times;
  return addMonths(day, count * times * (unit === "year" ? 12 : 1), anchor);
}

import { addDays, addMonths, daysBetween } from "#lib/format/calendar.ts";

export const millisecondBefore = (moment: string) =>
  new Date(Date.parse(moment) - 1).toISOString();

export const daysInRange = (from: string, to: string) =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, at) => addDays(from, at));

export function intervalBetween(start: string, end: string): string | null {
  for (let months = 1; months < 60; months += 1)
    if (addMonths(start, months) === end || addMonths(end, -months) === start)
      return `month:${months}`;
  return end > start ? `day:${daysBetween(start, end)}` : null;
}

/** The billing dates until `end`, found by checking day after day. */
export function billingDatesFrom(
  next: string,
  start: string | null,
  every: string | null,
  end: string,
) {
  const [type = "", count = "1"] = (every ?? "").split(":");
  const keepsTo = start && Number(start.slice(8)) > Number(next.slice(8)) ? start : next;
  return daysInRange(next, addDays(end, -1)).filter((day) => {
    if (day === next) return true;
    if (type === "day" || type === "week")
      return daysBetween(next, day) % (Number(count) * (type === "week" ? 7 : 1)) === 0;
    const step = Number(count) * (type === "year" ? 12 : 1);
    const months = monthNumber(day) - monthNumber(next);
    const isLast = addDays(next, 1).endsWith("-01");
    const wanted = Number((isLast ? keepsTo : next).slice(8));
    const last = Number(addDays(addMonths(`${day.slice(0, 7)}-01`, 1), -1).slice(8));
    return (
      every !== null &&
      months > 0 &&
      months % step === 0 &&
      Number(day.slice(8)) === Math.min(wanted, last)
    );
  });
}

const monthNumber = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));

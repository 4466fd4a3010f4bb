import Package from "nepali-date-converter";

// Node reads the package's CommonJS form, in which the class is an export named "default".
const NepaliDate = (Package as { default?: typeof Package }).default ?? Package;

export type Month = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12;

/** A day in Nepal's calendar; `month` from 1 (Baisakh) to 12 (Chaitra). */
interface BikramSambatDay {
  year: number;
  month: Month;
  date: number;
}

/** The range of the package's tables; the package returns wrong days outside of it. */
const FIRST = "1943-04-14";
const LAST = "2034-04-13";

/** @param day YYYY-MM-DD. @returns null outside of 1943-04-14 to 2034-04-13 */
export function toBikramSambat(day: string): BikramSambatDay | null {
  if (day < FIRST || day > LAST) return null;
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  // The package reads a Date in the machine's time zone, so the Date is built in it.
  const found = new NepaliDate(new Date(year, month - 1, date, 12));
  return {
    year: found.getYear(),
    month: (found.getMonth() + 1) as Month,
    date: found.getDate(),
  };
}

/**
 * The Gregorian day, YYYY-MM-DD; null for a day that is not in Nepal's calendar, or outside of the
 * tables.
 */
export function fromBikramSambat({ year, month, date }: BikramSambatDay): string | null {
  if (year < 2000 || year > 2090 || date < 1 || date > 32) return null;
  const found = new NepaliDate(year, month - 1, date).toJsDate();
  const day = [found.getFullYear(), found.getMonth() + 1, found.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
  const back = toBikramSambat(day);
  return back?.year === year && back.month === month && back.date === date ? day : null;
}

import { afterEach, expect, test, vi } from "vitest";
import { fromBikramSambat, toBikramSambat, type Month } from "./bikram-sambat.ts";

afterEach(() => vi.unstubAllEnvs());

// New Year's Days and other dates from the Nepali government's calendar.
test.each([
  ["2024-04-13", 2081, 1, 1],
  ["2025-04-14", 2082, 1, 1],
  ["2026-04-14", 2083, 1, 1],
  ["2015-09-20", 2072, 6, 3],
  ["2008-05-28", 2065, 2, 15],
  ["2026-11-20", 2083, 8, 4],
])("the Gregorian day %s is %i-%i-%i in Bikram Sambat", (day, year, month, date) => {
  expect(toBikramSambat(day)).toEqual({ year, month, date });
  expect(fromBikramSambat({ year, month: month as Month, date })).toBe(day);
});

test.each([
  [2083, 1, 32],
  [2083, 12, 31],
  [1999, 1, 1],
  [2091, 1, 1],
])("%i-%i-%i is not a supported day of the Bikram Sambat calendar", (year, month, date) => {
  expect(fromBikramSambat({ year, month: month as Month, date })).toBeNull();
});

test("a Gregorian date gives the same Bikram Sambat date in every browser time zone", () => {
  for (const zone of ["UTC", "Asia/Kathmandu", "America/Los_Angeles", "Pacific/Kiritimati"]) {
    vi.stubEnv("TZ", zone);
    expect(toBikramSambat("2025-04-14")).toEqual({ year: 2082, month: 1, date: 1 });
  }
});

test("consecutive Gregorian days give consecutive Bikram Sambat days in all supported years", () => {
  const first = Temporal.PlainDate.from("1943-04-14");
  const { days } = first.until("2034-04-13");
  let before = toBikramSambat(first.toString());
  expect(before).toEqual({ year: 2000, month: 1, date: 1 });
  for (let count = 1; count <= days; count += 1) {
    const day = toBikramSambat(first.add({ days: count }).toString());
    if (!day || !before) throw new Error("a day is missing");
    const isNext = day.date === before.date + 1 && day.month === before.month;
    const isMonth =
      day.date === 1 && day.month === (before.month % 12) + 1 && before.date >= 29;
    if (!isNext && !isMonth) expect(day).toEqual("the day after " + JSON.stringify(before));
    before = day;
  }
});

test("a Gregorian day outside the supported years gives null", () => {
  expect(toBikramSambat("1943-04-13")).toBeNull();
  expect(toBikramSambat("2034-04-14")).toBeNull();
});

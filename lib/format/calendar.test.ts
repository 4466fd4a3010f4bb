import { afterEach, describe, expect, test, vi } from "vitest";
import { addDays, addMonths, daysBetween, endOfMonth, isDay } from "./calendar.ts";
import { dayInZone } from "./format.ts";

afterEach(() => vi.unstubAllEnvs());

const ZONES = [
  "Asia/Kathmandu",
  "Asia/Katmandu",
  "Asia/Calcutta",
  "America/Los_Angeles",
  "Pacific/Kiritimati",
];

describe.each(ZONES)("on a machine in %s", (zone) => {
  test("date calculations are exact across daylight-saving changes", () => {
    vi.stubEnv("TZ", zone);
    expect(new Date(2026, 0, 1).toISOString()).not.toContain("T00:00");
    expect(addDays("2026-03-07", 1)).toBe("2026-03-08");
    expect(addDays("2026-03-08", 1)).toBe("2026-03-09");
    expect(addDays("2026-10-31", 2)).toBe("2026-11-02");
    expect(addDays("2026-11-01", 7)).toBe("2026-11-08");
    expect(addDays("2026-03-01", 7)).toBe("2026-03-08");
    expect(addMonths("2026-11-20", 1)).toBe("2026-12-20");
    expect(addMonths("2026-02-08", 1)).toBe("2026-03-08");
    expect(endOfMonth("2026-11-01")).toBe("2026-11-30");
    expect(daysBetween("2026-03-01", "2026-04-01")).toBe(31);
  });

  test("the day of a moment follows the time zone, and adding then subtracting days restores the day", () => {
    const day = dayInZone("2026-12-31T23:30:00Z", zone);
    expect(day).toBe(zone === "America/Los_Angeles" ? "2026-12-31" : "2027-01-01");
    expect(addDays(addDays(day, 40), -40)).toBe(day);
  });
});

test.each([
  ["2026-01-31", 1, "2026-02-28"],
  ["2028-01-31", 1, "2028-02-29"],
  ["2026-03-31", 1, "2026-04-30"],
  ["2026-12-31", 1, "2027-01-31"],
  ["2026-12-31", 2, "2027-02-28"],
  ["2026-02-28", 1, "2026-03-28"],
])("%s plus %i months is %s", (day, months, sum) => {
  expect(addMonths(day, months)).toBe(sum);
});

test("the end of a month is its last day, also in leap years", () => {
  expect(["2026-02-01", "2028-02-29", "2026-12-31"].map(endOfMonth)).toEqual([
    "2026-02-28",
    "2028-02-29",
    "2026-12-31",
  ]);
});

test("incomplete and impossible dates are not valid days", () => {
  expect(["2026-11-20", "2028-02-29", "0202-01-01"].map(isDay)).toEqual([true, true, true]);
  const none = ["", "2026-02-30", "2026-13-01", "12026-01-01", "2026-1-1", "0000-01-01"];
  expect(none.filter(isDay)).toEqual([]);
});

test("adding a day or a month to 9999-12-31 gives 9999-12-31", () => {
  expect(addDays("9999-12-31", 1)).toBe("9999-12-31");
  expect(addMonths("9999-12-31", 1)).toBe("9999-12-31");
});

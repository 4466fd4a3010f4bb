import { expect, test } from "vitest";
import { anchorOf, billingDays } from "./billing-days.ts";

test.each([
  ["month:1", "2026-01-31", 31, "2026-05-01", "01-31 02-28 03-31 04-30"],
  ["month:1", "2026-02-28", 31, "2026-05-01", "02-28 03-31 04-30"],
  ["month:1", "2028-02-29", 30, "2028-04-01", "02-29 03-30"],
  ["month:3", "2026-11-30", 30, "2027-03-01", "11-30 02-28"],
  ["year:1", "2026-11-30", 30, "2027-03-01", "11-30"],
  ["week:2", "2026-11-22", 22, "2026-12-20", "11-22 12-06"],
  ["day:10", "2026-11-22", 22, "2026-12-12", "11-22 12-02"],
  [null, "2026-11-22", 22, "2026-12-12", "11-22"],
  ["month:1", "2026-12-12", 12, "2026-12-12", ""],
])("%s from %s, keeping to the %i., before %s: %s", (every, next_day, anchor, end, days) => {
  const found = billingDays({ every, next_day, anchor }, end);
  expect(found.map((day) => day.slice(5)).join(" ")).toBe(days);
});

test.each([
  ["2026-02-28", "2026-01-31", 31],
  ["2026-02-28", "2026-01-15", 28],
  ["2026-04-30", "2026-03-30", 30],
  ["2026-04-29", "2026-03-31", 29],
  ["2026-04-30", null, 30],
])("what bills on %s and began on %s keeps to the %i.", (next, start, anchor) => {
  expect(anchorOf(next, start)).toBe(anchor);
});

import { expect, test } from "vitest";
import { billsSoon, byBillingDate } from "./rules.ts";

const row = (next_billing_cycle: string | null, current_period_end: string | null = null) => ({
  next_billing_cycle,
  current_period_end,
});

test("the longest overdue stands first, and what has no date last in its order", () => {
  const rows = [
    row(null),
    row("2026-11-19T06:15:00Z"),
    row("not a date"),
    row("2026-11-01"),
    row(null, "2026-11-10T00:00:00Z"),
  ];
  expect(byBillingDate(rows)).toEqual([rows[3], rows[4], rows[1], rows[0], rows[2]]);
});

const NOW = "2026-11-20T06:15:00Z";

test.each([
  ["2026-11-20", true],
  ["2026-11-27", true],
  ["2026-11-28", false],
  ["2026-11-19", false],
  ["2026-11-20T00:00:00Z", true],
  ["soon", false],
  [null, false],
])("what bills on %s bills within a week: %s", (day, soon) => {
  expect(billsSoon(row(day), "Asia/Kathmandu", NOW)).toBe(soon);
});

test("the day of a moment is the seller's", () => {
  // There it is still the 19th, so the 27th is the eighth day.
  const late = row("2026-11-27T16:00:00Z");
  expect(billsSoon(late, "America/Los_Angeles", NOW)).toBe(false);
  expect(billsSoon(late, "Asia/Kathmandu", NOW)).toBe(true);
});

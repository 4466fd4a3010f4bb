import { expect, test } from "vitest";
import { byBillingDate } from "./rules.ts";

const row = (next_billing_cycle: string | null, current_period_end: string | null = null) => ({
  next_billing_cycle,
  current_period_end,
});

test("rows are sorted by billing date, and rows without a billing date come last in their original order", () => {
  const rows = [
    row(null),
    row("2026-11-19T06:15:00Z"),
    row("not a date"),
    row("2026-11-01"),
    row(null, "2026-11-10T00:00:00Z"),
  ];
  expect(byBillingDate(rows)).toEqual([rows[3], rows[4], rows[1], rows[0], rows[2]]);
});

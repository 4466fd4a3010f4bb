import { expect, test } from "vitest";
import {
  anchorDayOf,
  billingDays,
  previousPeriod,
  periodOf,
  proportionOf,
  sumAmounts,
  sumMonthly,
  type PricedSum,
} from "./rules.ts";

const TODAY = "2026-11-22";

test.each([
  [null, null, "2026-10-24", TODAY],
  ["2026-11-01", null, "2026-11-01", TODAY],
  [null, "2026-11-10", "2026-10-12", "2026-11-10"],
  ["2026-11-10", "2026-11-01", "2026-11-01", "2026-11-10"],
  ["2026-11-01", "2027-05-01", "2026-11-01", TODAY],
  ["2027-01-01", "2027-05-01", TODAY, TODAY],
  ["1999-01-01", null, "2023-11-23", TODAY],
])(
  "the chosen days from %s to %s give the report period from %s to %s",
  (from, to, first, last) => {
    expect(periodOf({ from, to }, TODAY)).toEqual({ from: first, to: last });
  },
);

test("the previous period has the same length and ends before the current one", () => {
  expect(previousPeriod({ from: "2026-11-01", to: "2026-11-30" })).toEqual({
    from: "2026-10-02",
    to: "2026-10-31",
  });
});

const sum = (every: string, amount: string): PricedSum => ({
  currency: "NPR",
  status: "active",
  every,
  is_listed: true,
  is_unpriced: false,
  count: 1,
  amount,
  start: "0",
});

test.each([
  ["month:1", "500.00", "500.00"],
  ["month:3", "100.00", "33.33"],
  ["year:1", "1200.00", "100.00"],
  ["year:2", "0.12", "0.01"],
  ["week:1", "7.00", "30.44"],
  ["day:1", "1.00", "30.44"],
  ["day:365", "12.00", "1.00"],
  ["month:1", "90071992547409931.255", "90071992547409931.26"],
])("with the interval %s a price of %s is %s a month", (every, amount, monthly) => {
  expect(sumMonthly([sum(every, amount)]).amount).toBe(monthly);
});

test("monthly prices are summed before rounding", () => {
  const thirds = [sum("month:3", "100.00"), sum("month:3", "100.00"), sum("month:3", "100.00")];
  expect(sumMonthly(thirds).amount).toBe("100.00");
});

test("an amount halfway between two cents is rounded away from zero", () => {
  expect(sumAmounts(["0.005", "1"])).toBe("1.01");
  expect(sumAmounts(["0.004", "1"])).toBe("1.00");
  expect(sumAmounts(["-0.005"])).toBe("-0.01");
  expect(sumAmounts([])).toBe("0.00");
  expect(proportionOf("100.00", 2, 3)).toBe("66.67");
});

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
])(
  "an interval of %s from %s with the billing day %i has billing dates before %s: %s",
  (every, next_day, anchor, end, days) => {
    const found = billingDays({ every, next_day, anchor }, end);
    expect(found.map((day) => day.slice(5)).join(" ")).toBe(days);
  },
);

test.each([
  ["2026-02-28", "2026-01-31", 31],
  ["2026-02-28", "2026-01-15", 28],
  ["2026-04-30", "2026-03-30", 30],
  ["2026-04-29", "2026-03-31", 29],
  ["2026-04-30", null, 30],
])(
  "a subscription that bills next on %s and started on %s bills on day %i of the month",
  (next, start, anchor) => {
    expect(anchorDayOf(next, start)).toBe(anchor);
  },
);

import { expect, test } from "vitest";
import { reportTable } from "./report-table.ts";

const head = {
  period: { from: "2026-11-01", to: "2026-11-30" },
  before: { from: "2026-10-02", to: "2026-10-31" },
};

test("the table of payments has a line for each currency and, if known, for the period before", () => {
  const takings = { payments: 2, amount: "200.00", fee: "3.98", net: "196.02" };
  const table = reportTable(
    "collected",
    {
      currencies: [
        { currency: "NPR", ...takings, before: { ...takings, payments: 1 } },
        { currency: "USD", ...takings, before: null },
      ],
      subscriptions: { count: 3, rows: null },
      moved: 0,
      unpriced: 0,
    },
    head,
  );
  expect(table).toEqual({
    columns: ["from", "to", "currency", "payments", "collected", "fee", "net"],
    rows: [
      ["2026-11-01", "2026-11-30", "NPR", "2", "200.00", "3.98", "196.02"],
      ["2026-10-02", "2026-10-31", "NPR", "1", "200.00", "3.98", "196.02"],
      ["2026-11-01", "2026-11-30", "USD", "2", "200.00", "3.98", "196.02"],
    ],
  });
});

test("unknown values are empty cells, and an age range is split into two cells", () => {
  const days = [{ day: "2026-11-01", active: null, due: 0, ending: 2 }];
  const none = { count: 0, before: null, rows: null };
  const subscribers = { active: none, due: none, ending: none, days };
  expect(reportTable("subscribers", subscribers, head).rows).toEqual([
    ["2026-11-01", null, "0", "2"],
  ]);
  const ages = (["8-30", "60+"] as const).map((age) => ({
    age,
    count: 1,
    amount: "5.00",
    rows: {},
  }));
  const own = { count: 2, amount: "10.00", is_list_price: false, start: null, ages };
  const currencies = [{ currency: "NPR", ...own }];
  const owed = { due: none, kept: 0, currencies, undated: 0, unpriced: 0 };
  expect(reportTable("owed", owed, head).rows).toEqual([
    ["NPR", "8", "30", "1", "5.00"],
    ["NPR", "60", null, "1", "5.00"],
  ]);
});

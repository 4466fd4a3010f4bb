import { expect, test } from "vitest";
import { formatOf } from "#tools/testing/messages.ts";
import { amountsOwed, sumToPay, type Debt } from "./debt.ts";

const asks = { amount: "904.00", currency: "NPR", is_list_price: false };
const kept: Debt = {
  amount: "500",
  currency: "NPR",
  since: "2026-11-21",
  name: "Asha",
  at: "2026-11-21T00:00:00Z",
  reason: "away",
  text: null,
  is_list_price: true,
};

test("the amount owed includes a debt kept by a goodwill extension, and is marked if it has a list price", () => {
  expect(amountsOwed({ status: "due" }, asks, null)).toEqual([asks]);
  expect(amountsOwed({ status: "due" }, asks, kept)).toEqual([
    { amount: "1404.00", currency: "NPR", is_list_price: true },
  ]);
  expect(amountsOwed({ status: "active" }, asks, { ...kept, currency: "" })).toEqual([
    { amount: "500", currency: "NPR", is_list_price: true },
  ]);
});

test("amounts owed in different currencies are summed separately", () => {
  const dollars = { ...asks, currency: "USD" };
  const owed = amountsOwed({ status: "due" }, dollars, kept);
  expect(owed).toEqual([dollars, { amount: "500", currency: "NPR", is_list_price: true }]);
  const free = { ...asks, amount: "free", is_list_price: true };
  const sums = sumToPay([...owed, asks, free, dollars]);
  expect(sums).toEqual([
    { amount: "1404.00", currency: "NPR", is_list_price: true },
    { amount: "1808.00", currency: "USD", is_list_price: false },
  ]);
  expect(formatOf({}).sum(sums)).toBe("NPR 1,404.00 with list prices · USD 1,808.00");
  expect(formatOf({ language: "ne" }).toPay(...owed)).toBe("USD ९०४.०० · NPR ५००.०० सूची मूल्य");
});

import { expect, test } from "vitest";
import { ReceivedProductPage } from "#contract/products.ts";
import { translatorOf } from "#tools/testing/messages.ts";
import { intervalWords, priceRanges, productStateOf } from "./rules.ts";

test.each([
  ["month", 1, "every month"],
  ["month", 3, "every 3 months"],
  ["one_time", 1, "once"],
  ["fortnight", 2, "every 2 fortnights"],
  ["lifetime", 0, "every lifetime"],
  ["", 0, "each period"],
])(
  "the interval type %s with the count %i is written as %s",
  (interval_type, interval_count, text) => {
    expect(intervalWords(translatorOf("format"), { interval_type, interval_count })).toBe(text);
  },
);

function productOf(periods: object[], is_active = true) {
  const plan = [{ plan_id: "1", billing_periods: periods }];
  const page = ReceivedProductPage.parse({ results: [{ product_id: "1", is_active, plan }] });
  const [product] = page.results;
  if (!product) throw new Error("the product was not read");
  return product;
}
const period = (price: string, changes: object = {}) => ({
  pbp_id: `pbp_${price}`,
  price,
  currency: "NPR",
  ...changes,
});

test("price ranges compare amounts as numbers, not as texts, separately for each currency", () => {
  const periods = [
    period("650.00"),
    period("1150"),
    period("99.5"),
    period("12.00", { currency: "USD" }),
  ];
  expect(priceRanges(productOf(periods))).toEqual([
    { currency: "NPR", lowest: "99.5", highest: "1150" },
    { currency: "USD", lowest: "12.00", highest: "12.00" },
  ]);
});

test("a price range ignores archived and unreadable prices and is exact beyond the precision of a float", () => {
  const huge = "90071992547409930.02";
  const periods = [
    period("90071992547409930.01"),
    period(huge),
    period("1.00", { is_archived: true }),
    period("on request"),
  ];
  expect(priceRanges(productOf(periods))).toEqual([
    { currency: "NPR", lowest: "90071992547409930.01", highest: huge },
  ]);
  expect(priceRanges(productOf([]))).toEqual([]);
});

test.each([
  ["active", [period("1.00")], true],
  ["no_period", [period("1.00", { is_archived: true })], true],
  ["no_period", [], true],
  ["inactive", [period("1.00")], false],
])(
  "the state is %s for a product with the billing periods %o and is_active %o",
  (state, periods, is_active) => {
    expect(productStateOf(productOf(periods, is_active))).toBe(state);
  },
);

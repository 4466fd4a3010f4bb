import { expect, test } from "vitest";
import { ReceivedProductPage, type Offer } from "#contract/products.ts";
import { words } from "#scripts/testing/words.ts";
import { intervalWords, priceRanges, stateOf, workOutPrice } from "./rules.ts";

const TODAY = "2026-11-20";
const noVat = { is_vat_active: false, vat_type: "inclusive", vat_percentage: 13 };
const onTop = { is_vat_active: true, vat_type: "exclusive", vat_percentage: 13 };
const included = { ...onTop, vat_type: "inclusive" };

const offer = (changes: Partial<Offer> = {}): Offer => ({
  id: "offer",
  discount_amount: 200,
  starts_at: "2026-11-01",
  valid_until: "2026-11-30",
  is_active: true,
  ...changes,
});

test("takes the offer off first and adds VAT to the rest", () => {
  const parts = workOutPrice({ price: "1999.00", offers: [offer()] }, onTop, TODAY);
  expect(parts).toEqual({
    price: "1999.00",
    discount: "200.00",
    vat: { percentage: 13, amount: "233.87", is_included: false },
    total: "2032.87",
  });
});

test("tells the VAT inside a price that includes it, and adds nothing", () => {
  const parts = workOutPrice({ price: "1130.00", offers: [] }, included, TODAY);
  expect(parts?.vat?.amount).toBe("130.00");
  expect(parts?.total).toBe("1130.00");
});

test("rounds half a paisa up", () => {
  const five = { ...onTop, vat_percentage: 5 };
  expect(workOutPrice({ price: "0.10", offers: [] }, five, TODAY)?.vat?.amount).toBe("0.01");
  expect(workOutPrice({ price: "0.09", offers: [] }, five, TODAY)?.vat?.amount).toBe("0.00");
});

test.each([
  [{ starts_at: TODAY }, "1799.00"],
  [{ valid_until: TODAY }, "1799.00"],
  [{ starts_at: "2026-11-21" }, "1999.00"],
  [{ valid_until: "2026-11-19" }, "1999.00"],
  [{ is_active: false }, "1999.00"],
  [{ starts_at: "" }, "1999.00"],
  [{ valid_until: "soon" }, "1999.00"],
  [{ discount_amount: 5000 }, "1999.00"],
  [{ discount_amount: 0.005 }, "1999.00"],
])("an offer %o makes it %s", (changes, total) => {
  const period = { price: "1999.00", offers: [offer(changes)] };
  expect(workOutPrice(period, noVat, TODAY)?.total).toBe(total);
});

test("reckons with no VAT of a kind that it does not know", () => {
  const vat = { is_vat_active: true, vat_type: "compound", vat_percentage: 13 };
  const period = { price: "100.00", offers: [] };
  expect(workOutPrice(period, vat, "2026-11-20")).toBeNull();
  const nothing = { ...vat, vat_percentage: 0 };
  expect(workOutPrice(period, nothing, "2026-11-20")?.total).toBe("100.00");
});

test("says nothing about a price that it cannot read", () => {
  expect(workOutPrice({ price: "on request", offers: [] }, noVat, TODAY)).toBeNull();
});

test.each([
  ["month", 1, "every month"],
  ["month", 3, "every 3 months"],
  ["one_time", 1, "once"],
  ["fortnight", 2, "every 2 fortnights"],
  ["lifetime", 0, "every lifetime"],
  ["", 0, "each period"],
])("%s x %i reads %s", (interval_type, interval_count, text) => {
  expect(intervalWords(words("format"), { interval_type, interval_count })).toBe(text);
});

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

test("a price range goes by amount and not by text, one for each currency", () => {
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

test("a price range leaves out what is archived or no number, and keeps more digits than a float", () => {
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
])("a product is %s with %o, active: %o", (state, periods, is_active) => {
  expect(stateOf(productOf(periods, is_active))).toBe(state);
});

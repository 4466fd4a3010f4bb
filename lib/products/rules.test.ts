import { expect, test } from "vitest";
import type { Offer } from "#contract/products.ts";
import { intervalWords, workOutPrice } from "./rules.ts";

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
  [{ discount_amount: 5000 }, "1999.00"],
  [{ discount_amount: 0.005 }, "1999.00"],
])("an offer %o makes it %s", (changes, total) => {
  const period = { price: "1999.00", offers: [offer(changes)] };
  expect(workOutPrice(period, noVat, TODAY)?.total).toBe(total);
});

test("says nothing about a price that it cannot read", () => {
  expect(workOutPrice({ price: "on request", offers: [] }, noVat, TODAY)).toBeNull();
});

test.each([
  ["month", 1, "every month"],
  ["month", 3, "every 3 months"],
  ["one_time", 1, "once"],
  ["fortnight", 2, "every 2 fortnights"],
])("%s x %i reads %s", (interval_type, interval_count, words) => {
  expect(intervalWords({ interval_type, interval_count })).toBe(words);
});

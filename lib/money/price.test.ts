import { expect, test } from "vitest";
import type { Offer } from "#contract/products.ts";
import { amountsOn, priceSteps, amountToPay, calculatePrice } from "./price.ts";

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

test("the offer is subtracted before VAT is added", () => {
  const parts = calculatePrice({ price: "1999.00", offers: [offer()] }, onTop, TODAY);
  expect(parts).toEqual({
    price: "1999.00",
    discount: "200.00",
    vat: "233.87",
    vat_is_included: false,
    total: "2032.87",
  });
});

test("VAT that the price includes is shown and not added to the total", () => {
  const parts = calculatePrice({ price: "1130.00", offers: [] }, included, TODAY);
  expect(parts?.vat).toBe("130.00");
  expect(parts?.total).toBe("1130.00");
});

test("half a paisa is rounded up", () => {
  const five = { ...onTop, vat_percentage: 5 };
  expect(calculatePrice({ price: "0.10", offers: [] }, five, TODAY)?.vat).toBe("0.01");
  expect(calculatePrice({ price: "0.09", offers: [] }, five, TODAY)?.vat).toBe("0.00");
});

test.each([
  [{ starts_at: TODAY }, "1799.00"],
  [{ valid_until: TODAY }, "1799.00"],
  [{ starts_at: "2026-11-21" }, "1999.00"],
  [{ valid_until: "2026-11-19" }, "1999.00"],
  // Other services may write an offer's days as moments.
  [{ starts_at: `${TODAY}T00:00:00Z` }, "1799.00"],
  [{ valid_until: `${TODAY}T00:00:00Z` }, "1799.00"],
  [{ starts_at: "2026-11-21T00:00:00Z" }, "1999.00"],
  [{ valid_until: "2026-11-19T23:59:59Z" }, "1999.00"],
  [{ is_active: false }, "1999.00"],
  [{ starts_at: "" }, "1999.00"],
  [{ valid_until: "soon" }, "1999.00"],
  [{ discount_amount: 5000 }, "0.00"],
  [{ discount_amount: 0.005 }, "1999.00"],
])("with the offer %o the amount is %s", (changes, total) => {
  const period = { price: "1999.00", offers: [offer(changes)] };
  expect(calculatePrice(period, noVat, TODAY)?.total).toBe(total);
});

test("a price with an unknown kind of VAT cannot be calculated, unless the rate is 0", () => {
  const vat = { is_vat_active: true, vat_type: "compound", vat_percentage: 13 };
  const period = { price: "100.00", offers: [] };
  expect(calculatePrice(period, vat, "2026-11-20")).toBeNull();
  const nothing = { ...vat, vat_percentage: 0 };
  expect(calculatePrice(period, nothing, "2026-11-20")?.total).toBe("100.00");
});

test("a price that is not a number cannot be calculated", () => {
  expect(calculatePrice({ price: "on request", offers: [] }, noVat, TODAY)).toBeNull();
});

test("the largest of the offers that are valid on a day is applied", () => {
  const offers = [offer(), offer({ discount_amount: 300, valid_until: TODAY })];
  expect(calculatePrice({ price: "1000.00", offers }, noVat, TODAY)?.total).toBe("700.00");
  expect(calculatePrice({ price: "1000.00", offers }, noVat, "2026-11-21")?.total).toBe(
    "800.00",
  );
});

test("the price steps of a product give the correct checkout amount for every day", () => {
  const period = {
    pbp_id: "pbp",
    interval_type: "month",
    interval_count: 1,
    label: "",
    price: "1000.00",
    currency: "NPR",
    is_current: true,
    is_limited: false,
    is_archived: false,
    offers: [
      offer({ starts_at: "2026-11-10", valid_until: "2026-11-20" }),
      offer({
        discount_amount: 300,
        starts_at: "2026-11-15T00:00:00Z",
        valid_until: "2026-12-01T00:00:00Z",
      }),
      offer({ discount_amount: 900, is_active: false }),
    ],
  };
  const plan = [{ plan_id: "1", plan_name: "", description: "", billing_periods: [period] }];
  const steps = priceSteps({ plan, vat: onTop });
  for (let day = 1; day <= 61; day += 1) {
    const at = new Date(Date.UTC(2026, 10, day)).toISOString().slice(0, 10);
    const amounts = amountsOn(steps, at);
    expect(amounts["pbp"]?.amount).toBe(calculatePrice(period, onTop, at)?.total);
    const best = at >= "2026-11-15" && at <= "2026-12-01" ? 300 : 0;
    const other = at >= "2026-11-10" && at <= "2026-11-20" ? 200 : 0;
    const asked = ((1_000 - Math.max(best, other)) * 113) / 100;
    expect(amounts["pbp"]?.amount).toBe(`${asked}.00`);
  }
});

test("if no product lists the billing period and price, the amount is marked as a list price", () => {
  const amounts = { pbp: { price: "1000.00", currency: "NPR", amount: "904.00" } };
  const product = { pbp_id: "pbp", price: "1000", currency: "NPR" };
  expect(amountToPay(amounts, product)).toEqual({
    amount: "904.00",
    currency: "NPR",
    is_list_price: false,
  });
  for (const other of [{ pbp_id: "gone" }, { price: "900" }, { currency: "USD" }])
    expect(amountToPay(amounts, { ...product, ...other })).toMatchObject({
      is_list_price: true,
    });
});

import { describe, expect, it, test } from "vitest";
import {
  discountOn,
  calculateAmount,
  fromMinorUnits,
  minorUnits,
  processingFee,
  readAmount,
  shortAmount,
  totalAmount,
  type Charge,
} from "./amount.ts";

const base: Charge = {
  price: "1000.00",
  is_vat_active: true,
  vat_type: "exclusive",
  vat_percentage: "13.00",
  discount: null,
};

describe("calculateAmount", () => {
  it("subtracts the offer's discount before adding exclusive VAT", () => {
    expect(calculateAmount({ ...base, discount: "100" })).toEqual({
      price: "1000.00",
      discount: "100.00",
      vat: "117.00",
      vat_is_included: false,
      total: "1017.00",
    });
  });

  it("reports the VAT that an inclusive price contains without adding VAT to the total", () => {
    expect(calculateAmount({ ...base, vat_type: "inclusive" })).toMatchObject({
      vat: "115.04",
      total: "1000.00",
    });
  });

  it("rounds half up to two decimal places", () => {
    expect(calculateAmount({ ...base, price: "0.50", vat_percentage: "13" })?.total).toBe(
      "0.57",
    );
    expect(calculateAmount({ ...base, price: "999999999999.99" })?.total).toBe(
      "1129999999999.99",
    );
  });

  it("never returns a negative amount", () => {
    expect(calculateAmount({ ...base, discount: "5000.00" })).toMatchObject({
      vat: "0.00",
      total: "0.00",
    });
  });

  it("adds no VAT if VAT is switched off", () => {
    expect(calculateAmount({ ...base, is_vat_active: false })).toMatchObject({
      vat: null,
      total: "1000.00",
    });
  });

  it("returns null for unreadable amounts and an unknown VAT type", () => {
    expect(calculateAmount({ ...base, price: "1,000" })).toBeNull();
    expect(calculateAmount({ ...base, price: "10.005" })).toBeNull();
    expect(calculateAmount({ ...base, discount: "ten" })).toBeNull();
    expect(calculateAmount({ ...base, vat_type: "reverse" })).toBeNull();
    expect(
      calculateAmount({ ...base, vat_type: "reverse", is_vat_active: false }),
    ).not.toBeNull();
  });
});

test("discountOn returns the largest readable discount among the day's active offers", () => {
  const offer = { starts_at: "2026-11-01", valid_until: "2026-11-30", is_active: true };
  const offers = [
    { ...offer, discount_amount: "9.50" },
    { ...offer, discount_amount: 100 },
    { ...offer, discount_amount: "ten" },
    { ...offer, discount_amount: 300, is_active: false },
    { ...offer, discount_amount: 400, starts_at: "2026-11-21T00:00:00Z" },
  ];
  expect(discountOn(offers, "2026-11-20")).toBe("100.00");
  expect(discountOn(offers, "2026-11-21")).toBe("400.00");
  expect(discountOn(offers, "2026-12-01")).toBeNull();
});

test.each([
  ["1130.00", "22.49"],
  ["250.00", "4.98"],
  ["0.25", "0.00"],
  ["0.26", "0.01"],
  ["0.00", "0.00"],
  ["999999999999.99", "19900000000.00"],
])("the processing fee of %s is %s", (amount, fee) => {
  expect(processingFee(amount)).toBe(fee);
});

test("totalAmount returns the exact sum of very large and very many amounts", () => {
  expect(totalAmount([])).toBe("0.00");
  expect(
    totalAmount([
      { amount: "0.10", count: 3 },
      { amount: "999999999999.99", count: 1_000_000 },
    ]),
  ).toBe("999999999999990000.30");
});

test.each([
  ["1200.00", 2, 120_000n],
  ["1200.5", 2, 120_050n],
  ["0.01", 2, 1n],
  ["1200.00", 0, 1_200n],
  ["1200.50", 0, null],
  ["0.005", 2, null],
  ["-1.00", 2, null],
  ["", 2, null],
] as const)(
  "the amount %s in a currency with %i decimal places is %s minor units",
  (amount, places, units) => {
    expect(minorUnits(amount, places)).toBe(units);
  },
);

test.each([
  [120_050, 2, "1200.50"],
  ["120000.00", 2, "1200.00"],
  [1_200, 0, "1200.00"],
  ["99999999999999999999", 2, "999999999999999999.99"],
  [1.5, 2, null],
  [-1, 2, null],
  [2 ** 60, 2, null],
  [Number.NaN, 2, null],
  [null, 2, null],
  ["1e3", 2, null],
] as const)(
  "%s minor units in a currency with %i decimal places are the amount %s",
  (units, places, amount) => {
    expect(fromMinorUnits(units, places)).toBe(amount);
  },
);

test.each([
  [1_000, "1000.00"],
  [1200.5, "1200.50"],
  ["2,700.0", "2700.00"],
  ["1,00,000", "100000.00"],
  ["110", "110.00"],
  ["1.005", null],
  [0.1 + 0.2, null],
  ["12,", null],
  ["1,2", null],
  ["Rs 10", null],
  [undefined, null],
] as const)("an amount written %s is read as %s", (written, amount) => {
  expect(readAmount(written)).toBe(amount);
});

test.each([
  ["1200.00", "1200"],
  ["1200.50", "1200.50"],
  ["10", "10"],
])("the amount %s is displayed in its short form as %s", (amount, text) => {
  expect(shortAmount(amount)).toBe(text);
});

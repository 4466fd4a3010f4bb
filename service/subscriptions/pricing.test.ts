import { describe, expect, it } from "vitest";
import { amountDue, type Price } from "./pricing.ts";

const base: Price = {
  price: "1000.00",
  is_vat_active: true,
  vat_type: "exclusive",
  vat_percentage: "13.00",
  discount: null,
};

describe("amountDue", () => {
  it("adds exclusive VAT after the offer", () => {
    expect(amountDue({ ...base, discount: "100" })).toEqual({
      price: "1000.00",
      discount: "100.00",
      vat: "117.00",
      vat_is_included: false,
      total: "1017.00",
    });
  });

  it("names inclusive VAT without adding it", () => {
    expect(amountDue({ ...base, vat_type: "inclusive" })).toMatchObject({
      vat: "115.04",
      total: "1000.00",
    });
  });

  it("rounds half up to two places", () => {
    expect(amountDue({ ...base, price: "0.50", vat_percentage: "13" }).total).toBe("0.57");
    expect(amountDue({ ...base, price: "999999999999.99" }).total).toBe("1129999999999.99");
  });

  it("never asks for less than nothing", () => {
    expect(amountDue({ ...base, discount: "5000.00" })).toMatchObject({
      vat: "0.00",
      total: "0.00",
    });
  });

  it("leaves VAT out where it is switched off", () => {
    expect(amountDue({ ...base, is_vat_active: false })).toMatchObject({
      vat: null,
      total: "1000.00",
    });
  });
});

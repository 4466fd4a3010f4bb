import { describe, expect, test } from "vitest";
import { contactsOf, sumCharges } from "./rules.ts";

describe("the sum of charges", () => {
  const priced = (amount: string, currency = "NPR", label = "Monthly") => ({
    amount,
    currency,
    label,
    is_list_price: label === "Yearly",
  });

  test("is exact for amounts that a float would round", () => {
    expect(
      sumCharges([priced("0.10"), priced("0.20"), priced("99999999999999999.05")]),
    ).toEqual([
      {
        currency: "NPR",
        label: "Monthly",
        amount: "99999999999999999.35",
        is_list_price: false,
        count: 3,
      },
    ]);
  });

  test("is separate for each currency and billing period", () => {
    const charges = sumCharges([
      priced("100"),
      priced("1.005"),
      priced("5.00", "USD"),
      priced("900.00", "NPR", "Yearly"),
    ]);
    expect(charges.map(({ is_list_price }) => is_list_price)).toEqual([false, false, true]);
    expect(charges.map(({ amount, currency, label }) => [amount, currency, label])).toEqual([
      ["101.005", "NPR", "Monthly"],
      ["5.00", "USD", "Monthly"],
      ["900.00", "NPR", "Yearly"],
    ]);
  });

  test("ignores amounts that are not numbers", () => {
    expect(sumCharges([priced("free"), priced("-1"), priced("")])).toEqual([]);
  });
});

describe("contact links", () => {
  const kinds = (buyer_phone: string, buyer_email: string, zone = "Asia/Kathmandu") =>
    contactsOf({ buyer_phone, buyer_email }, zone).map(({ kind }) => kind);

  test("are offered only where the phone number or the email address is usable", () => {
    expect(kinds("9800000001", "asha@example.com")).toEqual([
      "call",
      "whatsapp",
      "viber",
      "sms",
      "email",
    ]);
    expect(kinds("9800000001", "", "Asia/Tokyo")).toEqual(["call", "sms"]);
    expect(kinds("unknown", "nowhere")).toEqual([]);
  });

  test("contain only the digits of the phone number, or the escaped email address", () => {
    const [call] = contactsOf(
      { buyer_phone: "०१-४४१२३४५; x", buyer_email: "" },
      "Asia/Kathmandu",
    );
    expect(call?.href).toBe("tel:014412345");
    const strange = { buyer_phone: "", buyer_email: "a@b.c?cc=d@e.f" };
    const [mail] = contactsOf(strange, "UTC");
    expect(mail?.href).toBe("mailto:a%40b.c%3Fcc%3Dd%40e.f");
  });
});

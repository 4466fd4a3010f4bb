import { describe, expect, test } from "vitest";
import { contactsOf, internationalDigits, isSamePhone, phoneKey, sumCharges } from "./rules.ts";

describe("one buyer's phone", () => {
  test.each([
    ["9800000001", "+977 980-000 0001"],
    ["9800000001", "009779800000001"],
    ["9800000001", "0 9800000001"],
    ["9800000001", "९८०००००००१"],
    ["9779800000001", "(+977) 98.0000.0001"],
    ["01-4412345", "+977 1 4412345"],
    ["+91 98765 43210", "0091-9876543210"],
  ])("%s is written %s as well", (one, other) => {
    expect(isSamePhone(one, other)).toBe(true);
  });

  test.each([
    ["9800000001", "9800000002"],
    ["9779800000", "9800000"],
    ["+91 9800000001", "+977 9800000001"],
    ["", ""],
    ["123", "123"],
    ["unknown", "none"],
  ])("%s is not %s", (one, other) => {
    expect(isSamePhone(one, other)).toBe(false);
  });

  test("has a key that is its own key", () => {
    for (const phone of ["+977 1 4412345", "0977980000000", "9779800000", "०१४४१२३४५"])
      expect(phoneKey(phoneKey(phone))).toBe(phoneKey(phone));
  });
});

describe("the number for an app", () => {
  test.each([
    ["+977 980-0000001", "America/Los_Angeles", "9779800000001"],
    ["00919876543210", "Asia/Kathmandu", "919876543210"],
    ["9800000001", "Asia/Kathmandu", "9779800000001"],
    ["९८०००००००१", "Asia/Katmandu", "9779800000001"],
    ["9800000001", "Asia/Kolkata", null],
    ["01-4412345", "Asia/Kathmandu", null],
    ["", "Asia/Kathmandu", null],
  ])("of %s in %s is %s", (phone, time_zone, digits) => {
    expect(internationalDigits(phone, time_zone)).toBe(digits);
  });
});

describe("what they pay", () => {
  const priced = (price: string, currency = "NPR", label = "Monthly") => ({
    product: { price, currency, label },
  });

  test("is added up exactly, where a float would be off", () => {
    expect(
      sumCharges([priced("0.10"), priced("0.20"), priced("99999999999999999.05")]),
    ).toEqual([
      { currency: "NPR", label: "Monthly", amount: "99999999999999999.35", count: 3 },
    ]);
  });

  test("stays apart for each currency and each period", () => {
    const charges = sumCharges([
      priced("100"),
      priced("1.005"),
      priced("5.00", "USD"),
      priced("900.00", "NPR", "Yearly"),
    ]);
    expect(charges.map(({ amount, currency, label }) => [amount, currency, label])).toEqual([
      ["101.005", "NPR", "Monthly"],
      ["5.00", "USD", "Monthly"],
      ["900.00", "NPR", "Yearly"],
    ]);
  });

  test("leaves out what is no number", () => {
    expect(sumCharges([priced("free"), priced("-1"), priced("")])).toEqual([]);
  });
});

describe("the ways to reach somebody", () => {
  const kinds = (buyer_phone: string, buyer_email: string, zone = "Asia/Kathmandu") =>
    contactsOf({ buyer_phone, buyer_email }, zone).map(({ kind }) => kind);

  test("are those that the number and the address allow", () => {
    expect(kinds("9800000001", "asha@example.com")).toEqual([
      "call",
      "whatsapp",
      "viber",
      "sms",
      "email",
    ]);
    expect(kinds("9800000001", "", "Asia/Kolkata")).toEqual(["call", "sms"]);
    expect(kinds("unknown", "nowhere")).toEqual([]);
  });

  test("hold nothing but the number and the address", () => {
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

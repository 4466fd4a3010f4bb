import { describe, expect, test } from "vitest";
import { internationalDigits, isSamePhone, phoneKey } from "./phone.ts";

describe("one buyer's phone", () => {
  test.each([
    ["9800000001", "+977 980-000 0001"],
    ["9800000001", "009779800000001"],
    ["9800000001", "0 9800000001"],
    ["9800000001", "९८०००००००१"],
    ["9779800000001", "(+977) 98.0000.0001"],
    ["01-4412345", "+977 1 4412345"],
    ["+91 98765 43210", "0091-9876543210"],
  ])("%s and %s are the same number", (one, other) => {
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

  test("the key of a key is the same key", () => {
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

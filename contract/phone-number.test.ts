import examples from "libphonenumber-js/examples.mobile.json" with { type: "json" };
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { describe, expect, it, test } from "vitest";
import {
  internationalDigits,
  isSamePhone,
  phoneKey,
  PHONE_COUNTRIES,
  nationalDigits,
  type PhoneCountryCode,
} from "./phone-number.ts";
import { phoneSpellings, toInternational } from "./process/phone-number.ts";

const HOMES: Record<PhoneCountryCode, string> = {
  NP: "Asia/Kathmandu",
  IN: "Asia/Kolkata",
  BD: "Asia/Dhaka",
  BT: "Asia/Thimphu",
  LK: "Asia/Colombo",
  AE: "Asia/Dubai",
  QA: "Asia/Qatar",
  MY: "Asia/Kuala_Lumpur",
};
const countries = Object.keys(HOMES) as PhoneCountryCode[];

/** Ways in which people write a number of a country. */
function spellingsOf(country: PhoneCountryCode) {
  const national = examples[country];
  const { code, trunk } = PHONE_COUNTRIES[country];
  const spaced = `${national.slice(0, 3)} ${national.slice(3, 6)}-${national.slice(6)}`;
  return {
    abroad: [
      `+${code}${national}`,
      `00${code} ${spaced}`,
      `+${code}-${spaced}`,
      ...(trunk ? [`+${code} (${trunk})${spaced}`] : []),
    ],
    athome: [national, spaced, `${code}${national}`, ...(trunk ? [trunk + spaced] : [])],
  };
}

describe.each(countries)("phone numbers of %s", (country) => {
  const { abroad, athome } = spellingsOf(country);
  const { code } = PHONE_COUNTRIES[country];
  const home = { time_zone: HOMES[country] };
  const e164 = `+${code}${examples[country]}`;

  it("are read the same by our browser code and by libphonenumber, in any spelling", () => {
    for (const written of [...abroad, ...athome]) {
      expect([written, toInternational(written, home)]).toEqual([written, e164]);
      expect([written, internationalDigits(written, home.time_zone)]).toEqual([
        written,
        e164.slice(1),
      ]);
    }
    for (const written of abroad)
      expect(internationalDigits(written, "UTC")).toBe(e164.slice(1));
  });

  it("are found by a search with any spelling of the same number", () => {
    for (const asked of [...abroad, ...athome])
      for (const stored of [...abroad, ...athome])
        expect([asked, stored, phoneSpellings(asked, home)]).toEqual([
          asked,
          stored,
          expect.arrayContaining([nationalDigits(stored)]),
        ]);
    const atHome = { time_zone: "Asia/Kathmandu" };
    for (const asked of abroad)
      for (const stored of abroad)
        expect(phoneSpellings(asked, atHome)).toContain(nationalDigits(stored));
  });

  it("match our pattern for mobile numbers if libphonenumber calls them mobile numbers", () => {
    const { mobile } = PHONE_COUNTRIES[country];
    for (let first = 10; first < 100; first += 1) {
      const national = String(first) + examples[country].slice(2);
      const number = parsePhoneNumberFromString(`+${code}${national}`);
      const isMobile = number?.getType()?.includes("MOBILE") === true;
      if (isMobile) expect([national, mobile.test(national)]).toEqual([national, true]);
    }
  });
});

test("a search for a foreign phone number does not find a local number with the same digits", () => {
  const home = { time_zone: "Asia/Kathmandu" };
  expect(phoneSpellings("+91 9800000001", home)).not.toContain("9800000001");
});

test.each([
  ["9800000001", "+9779800000001"],
  ["+977 980-000 0001", "+9779800000001"],
  ["009779800000001", "+9779800000001"],
  ["+1 415 555 2671", "+14155552671"],
  ["12", null],
  ["", null],
])("the phone number %j is read as %j for a seller in Nepal", (phone, read) => {
  expect(toInternational(phone, { time_zone: "Asia/Kathmandu", currency: "USD" })).toBe(read);
});

test("a phone number without a calling code gets the country of the time zone, or else of the currency", () => {
  const read = (time_zone: string, currency: string) =>
    toInternational("9800000001", { time_zone, currency });
  expect(read("UTC", "USD")).toBeNull();
  expect(read("Asia/Kolkata", "NPR")).toBe("+919800000001");
  expect(read("UTC", "NPR")).toBe("+9779800000001");
});

describe("the comparison of phone numbers", () => {
  test.each([
    ["9800000001", "+977 980-000 0001"],
    ["9800000001", "009779800000001"],
    ["9800000001", "0 9800000001"],
    ["9800000001", "९८०००००००१"],
    ["9779800000001", "(+977) 98.0000.0001"],
    ["01-4412345", "+977 1 4412345"],
    ["+91 98765 43210", "0091-9876543210"],
  ])("treats %s and %s as the same phone number", (one, other) => {
    expect(isSamePhone(one, other)).toBe(true);
  });

  test.each([
    ["9800000001", "9800000002"],
    ["9779800000", "9800000"],
    ["+91 9800000001", "+977 9800000001"],
    ["", ""],
    ["123", "123"],
    ["unknown", "none"],
  ])("treats %s and %s as different phone numbers", (one, other) => {
    expect(isSamePhone(one, other)).toBe(false);
  });

  test("uses a phone key that stays the same if it is normalised again", () => {
    for (const phone of ["+977 1 4412345", "0977980000000", "9779800000", "०१४४१२३४५"])
      expect(phoneKey(phoneKey(phone))).toBe(phoneKey(phone));
  });
});

describe("the phone number in a link to a messaging app", () => {
  test.each([
    ["+977 980-0000001", "America/Los_Angeles", "9779800000001"],
    ["00919876543210", "Asia/Kathmandu", "919876543210"],
    ["9800000001", "Asia/Kathmandu", "9779800000001"],
    ["९८०००००००१", "Asia/Katmandu", "9779800000001"],
    ["9800000001", "Asia/Kolkata", "919800000001"],
    ["050 123 4567", "Asia/Dubai", "971501234567"],
    ["+971 (0)50 123 4567", "Asia/Kathmandu", "971501234567"],
    ["9800000001", "Asia/Tokyo", null],
    ["9800000001", "UTC", null],
    ["01-4412345", "Asia/Kathmandu", null],
    ["", "Asia/Kathmandu", null],
  ])("for %s in the time zone %s is %s", (phone, time_zone, digits) => {
    expect(internationalDigits(phone, time_zone)).toBe(digits);
  });
});

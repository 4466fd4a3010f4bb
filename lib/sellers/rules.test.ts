import { expect, test } from "vitest";
import { currencies, readName, readTimeZone, readWebAddress, timeZones } from "./rules.ts";

test.each([
  ["  Phewa  Home Services ", "Phewa Home Services"],
  ["फेवा गृह सेवा", "फेवा गृह सेवा"],
  // Nepali writes some letters with an invisible joiner.
  ["र्‍याफ्ट", "र्‍याफ्ट"],
  ["7-Eleven & Söhne", "7-Eleven & Söhne"],
  ["a".repeat(80), "a".repeat(80)],
  ["😀".repeat(80), "😀".repeat(80)],
])("the text %o is a valid seller name", (text, name) => {
  expect(readName(text)).toBe(name);
});

test.each([
  "",
  "   ",
  "\u200d",
  "a".repeat(81),
  "Phewa\u202eecivres",
  "Phewa\u2066",
  "two\nlines",
  "nul\0",
  "\ud800",
])("the text %o is not a valid seller name", (text) => {
  expect(readName(text)).toBeNull();
});

test.each([
  ["Asia/Kathmandu", "Asia/Kathmandu"],
  ["Asia/Katmandu", "Asia/Kathmandu"],
  [" asia/kathmandu ", "Asia/Kathmandu"],
  ["kathmandu", "Asia/Kathmandu"],
  ["Katmandu", "Asia/Kathmandu"],
  ["New York", "America/New_York"],
  ["US/Eastern", "America/New_York"],
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["Etc/UTC", "UTC"],
  ["utc", "UTC"],
])("the text %o names the time zone %s", (text, zone) => {
  expect(readTimeZone(text)).toBe(zone);
});

test.each(["", "/", "Mars/Olympus", "+05:45", "a".repeat(10_000)])(
  "%o is not a time zone",
  (text) => {
    expect(readTimeZone(text)).toBeNull();
  },
);

test("the list of time zones contains only current names", () => {
  for (const zone of timeZones()) expect(readTimeZone(zone)).toBe(zone);
  expect(timeZones()).not.toContain("Asia/Katmandu");
});

test.each([
  ["https://shop.example/thanks?a=1", "https://shop.example/thanks?a=1"],
  [" http://localhost:8080 ", "http://localhost:8080/"],
])("the text %s is accepted as a web URL", (text, address) => {
  expect(readWebAddress(text)).toBe(address);
});

test.each(["", "shop.example", "javascript:alert(1)", "https://a:b@shop.example", "ftp://a.b"])(
  "%o is not a web URL",
  (text) => {
    expect(readWebAddress(text)).toBeNull();
  },
);

test("the list of currencies includes the Nepalese rupee with its name in both languages", () => {
  expect(currencies("en")).toContainEqual({ code: "NPR", name: "Nepalese Rupee" });
  expect(currencies("ne")).toContainEqual({ code: "NPR", name: "नेपाली रूपैयाँ" });
});

import { expect, test } from "vitest";
import { withNepaliNumbers } from "./nepali-numbers.ts";

const NUMBERS = [0, 7, 1_234, 123_456, 12_345_678.9, -5];

test("a browser without Nepali number formats writes Nepali numbers like the server", () => {
  const without = Object.assign(
    function NumberFormat(locales: string, options: Intl.NumberFormatOptions) {
      return new Intl.NumberFormat(locales === "ne" ? "en" : locales, options);
    },
    { supportedLocalesOf: () => [] },
  ) as unknown as typeof Intl.NumberFormat;
  const [mended, server] = [
    new (withNepaliNumbers(without))("ne"),
    new Intl.NumberFormat("ne"),
  ];
  expect(NUMBERS.map((one) => mended.format(one))).toEqual(
    NUMBERS.map((one) => server.format(one)),
  );
  const english = new (withNepaliNumbers(without))("en", { minimumFractionDigits: 2 });
  expect(english.format(1_234)).toBe("1,234.00");
});

test("a browser with Nepali number formats keeps its own formats", () => {
  const own = new (withNepaliNumbers(Intl.NumberFormat))("ne").resolvedOptions();
  expect(own).toEqual(new Intl.NumberFormat("ne").resolvedOptions());
});

test("a page that formats English numbers does not check whether the browser supports Nepali numbers", () => {
  const asked: unknown[] = [];
  const own = new Proxy(Intl.NumberFormat, {
    get: (target, name) => {
      asked.push(name);
      return Reflect.get(target, name) as unknown;
    },
  });
  expect(new (withNepaliNumbers(own))("en").format(1_234)).toBe("1,234");
  expect(asked).not.toContain("supportedLocalesOf");
});

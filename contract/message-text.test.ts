import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { languageTag, ownNameOf, smsLength, valuesIn } from "./message-text.ts";

test.each([
  ["", "GSM-7", 0],
  ["a".repeat(160), "GSM-7", 1],
  ["a".repeat(161), "GSM-7", 2],
  ["a".repeat(306), "GSM-7", 2],
  ["a".repeat(307), "GSM-7", 3],
  ["€".repeat(80), "GSM-7", 1],
  ["€".repeat(81), "GSM-7", 2],
  ["क".repeat(70), "UCS-2", 1],
  ["क".repeat(71), "UCS-2", 2],
  [`${"a".repeat(69)}’`, "UCS-2", 1],
  [`${"a".repeat(70)}’`, "UCS-2", 2],
])(
  "example text %# has the expected SMS encoding and number of SMS parts",
  (text, encoding, parts) => {
    expect(smsLength(text)).toMatchObject({ encoding, parts });
  },
);

test("a character that takes two places of an SMS is not split between two parts", () => {
  expect(smsLength(`${"a".repeat(152)}€${"a".repeat(152)}`)).toMatchObject({ parts: 3 });
  expect(smsLength(`${"क".repeat(66)}😀${"क".repeat(66)}`)).toMatchObject({ parts: 3 });
});

const texts = fc
  .array(fc.constantFrom("a", "€", "\n", "क", "😀", "a".repeat(70)), { maxLength: 12 })
  .map((letters) => letters.join(""));

test("a longer text never needs fewer SMS parts, and the parts have room for the whole text", () => {
  fc.assert(
    fc.property(texts, texts, (text, more) => {
      const { parts, characters, encoding } = smsLength(text);
      expect(smsLength(text + more).parts).toBeGreaterThanOrEqual(parts);
      expect(characters).toBeLessThanOrEqual(parts * (encoding === "GSM-7" ? 160 : 70));
    }),
  );
});

test.each([
  ["mai", "mai"],
  [" BHO ", "bho"],
  ["zh-hant-tw", "zh-Hant-TW"],
  ["ne-np", "ne-NP"],
  ["maithili", null],
  ["hi-u-nu-deva", null],
  ["x-mine", null],
  ["मैथिली", null],
  ["", null],
])("the input %j is read as the language tag %j", (text, tag) => {
  expect(languageTag(text)).toBe(tag);
});

test("ownNameOf returns a language's name in that language, or null for an unknown language", () => {
  expect(["mai", "bho", "hi", "ur", "new", "taj"].map(ownNameOf)).toEqual([
    "मैथिली",
    "भोजपुरी",
    "हिन्दी",
    "اردو",
    "नेपाल भाषा",
    "तामाङ",
  ]);
  expect(ownNameOf("qqq")).toBeNull();
});

describe("amounts, dates and numbers of days in a message", () => {
  test.each([
    ["hi", "NPR 12,34,567.50", "27 नवंबर 2026", "3 दिन"],
    ["bho", "NPR १,२३४,५६७.५०", "२०२६ नवंबर २७", undefined],
    ["ar", "1,234,567.50 NPR", "27 نوفمبر 2026", "3 أيام"],
    ["fa", "NPR ۱٬۲۳۴٬۵۶۷٫۵۰", "۲۷ نوامبر ۲۰۲۶", "۳ روز"],
  ])("are formatted by the rules of the language %s", (language, money, day, days) => {
    const values = valuesIn(language);
    expect(values?.money("NPR", "1234567.50")).toBe(money);
    expect(values?.day("2026-11-27")).toBe(day);
    expect(values?.days?.(3)).toBe(days);
  });

  test("keep all digits of a large amount, and a text that is no amount", () => {
    const values = valuesIn("hi");
    expect(values?.money("NPR", "90071992547409930.01")).toBe(
      "NPR 90,07,19,92,54,74,09,930.01",
    );
    expect(values?.money("NPR", "on request")).toBe("NPR on request");
    expect(values?.money("Rs.", "5.00")).toBe("Rs. 5.00");
  });

  test("are not formatted for a language that the system does not know", () => {
    expect(valuesIn("taj")).toBeNull();
  });
});

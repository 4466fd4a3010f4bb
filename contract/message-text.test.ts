import * as fc from "fast-check";
import { expect, test } from "vitest";
import { smsLength } from "./message-text.ts";

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
])("text %# needs the expected number of SMS", (text, encoding, parts) => {
  expect(smsLength(text)).toMatchObject({ encoding, parts });
});

test("a two-place character is not split between parts", () => {
  expect(smsLength(`${"a".repeat(152)}€${"a".repeat(152)}`)).toMatchObject({ parts: 3 });
  expect(smsLength(`${"क".repeat(66)}😀${"क".repeat(66)}`)).toMatchObject({ parts: 3 });
});

const texts = fc
  .array(fc.constantFrom("a", "€", "\n", "क", "😀", "a".repeat(70)), { maxLength: 12 })
  .map((letters) => letters.join(""));

test("a longer text never needs fewer parts, and its parts hold all of it", () => {
  fc.assert(
    fc.property(texts, texts, (text, more) => {
      const { parts, characters, encoding } = smsLength(text);
      expect(smsLength(text + more).parts).toBeGreaterThanOrEqual(parts);
      expect(characters).toBeLessThanOrEqual(parts * (encoding === "GSM-7" ? 160 : 70));
    }),
  );
});

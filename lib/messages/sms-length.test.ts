import * as fc from "fast-check";
import { expect, test } from "vitest";
import { smsLength } from "./sms-length.ts";

test.each([
  ["", "GSM-7", 0, 160],
  ["a".repeat(160), "GSM-7", 1, 0],
  ["a".repeat(161), "GSM-7", 2, 145],
  ["a".repeat(307), "GSM-7", 3, 152],
  ["€".repeat(80), "GSM-7", 1, 0],
  ["क".repeat(70), "UCS-2", 1, 0],
  ["क".repeat(71), "UCS-2", 2, 63],
  [`${"a".repeat(69)}’`, "UCS-2", 1, 0],
])("text %# takes its parts", (text, encoding, parts, left) => {
  expect(smsLength(text)).toMatchObject({ encoding, parts, left });
});

test("no letter is cut in two by a part's end", () => {
  expect(smsLength(`${"a".repeat(152)}€${"a".repeat(152)}`)).toMatchObject({
    places: 306,
    parts: 3,
  });
  expect(smsLength(`${"क".repeat(66)}😀${"क".repeat(66)}`)).toMatchObject({ parts: 3 });
});

const texts = fc
  .array(fc.constantFrom("a", "€", "\n", "क", "😀", "a".repeat(70)), { maxLength: 12 })
  .map((letters) => letters.join(""));

test("a longer text never takes fewer parts, and parts have room for all of it", () => {
  fc.assert(
    fc.property(texts, texts, (text, more) => {
      const { parts, places, encoding, left } = smsLength(text);
      expect(smsLength(text + more).parts).toBeGreaterThanOrEqual(parts);
      const room = encoding === "GSM-7" ? 160 : 70;
      expect(places).toBeLessThanOrEqual(parts * room);
      expect(left).toBeGreaterThanOrEqual(0);
    }),
  );
});

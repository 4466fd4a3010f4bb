import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contrastOf, MIN_CONTRAST, readableOn, textOn } from "./color.ts";

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, "0")}`);

describe("colors", () => {
  it("have the contrast ratio that WCAG defines", () => {
    expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21, 5);
    expect(contrastOf("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
    expect(contrastOf("#ffd400", "#ffffff")).toBeCloseTo(contrastOf("#ffffff", "#ffd400"), 9);
  });

  it("used as a background get a text colour with sufficient contrast", () => {
    fc.assert(
      fc.property(color, (one) => {
        expect(contrastOf(one, textOn(one))).toBeGreaterThanOrEqual(MIN_CONTRAST);
      }),
    );
    expect([textOn("#1f5fbf"), textOn("#ffd400")]).toEqual(["#ffffff", "#000000"]);
  });

  it("are adjusted to be readable on any background, but stay unchanged if their contrast suffices", () => {
    fc.assert(
      fc.property(color, color, (one, ground) => {
        const text = readableOn(one, ground);
        expect(contrastOf(text, ground)).toBeGreaterThanOrEqual(MIN_CONTRAST);
        if (contrastOf(one, ground) >= MIN_CONTRAST) expect(text).toBe(one);
      }),
    );
  });
});

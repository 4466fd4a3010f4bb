import { expect, test } from "vitest";
import { presetDays, PRESETS, presetOf } from "./search.ts";

test("the preset periods of reports end today or at the end of last month", () => {
  expect(PRESETS.map((preset) => presetDays(preset, "2028-03-31"))).toEqual([
    { from: null, to: null },
    { from: "2028-03-01", to: "2028-03-31" },
    { from: "2028-02-01", to: "2028-02-29" },
    { from: "2028-01-02", to: "2028-03-31" },
    { from: "2027-04-01", to: "2028-03-31" },
  ]);
});

test("days are recognized as a preset period only if they are exactly those of the preset", () => {
  for (const preset of PRESETS)
    expect(presetOf(presetDays(preset, "2026-11-22"), "2026-11-22")).toBe(preset);
  expect(presetOf({ from: "2026-11-03", to: "2026-11-22" }, "2026-11-22")).toBeNull();
  expect(presetOf({ from: null, to: "2026-11-20" }, "2026-11-22")).toBeNull();
});

import { expect, test } from "vitest";
import { median, trendOf } from "./trend.ts";

const minutes = (value: (at: number) => number) =>
  Array.from({ length: 30 }, (_, at) => value(at));
/** Noise between -1 and 1 that is the same in every run. */
const noise = (at: number) => (Math.sin(at * 12.9898) * 43_758.5453) % 1;

test("a series of constant values is flat", () => {
  expect(trendOf(minutes(() => 100))).toEqual({ from: 100, to: 100, growth: 0, isFlat: true });
});

test("a series that rises only in its first third is flat", () => {
  expect(trendOf(minutes((at) => (at < 10 ? 50 + 5 * at : 100))).growth).toBe(0);
});

test("a series that rises by more than 5% after its first third is not flat", () => {
  const { growth, isFlat } = trendOf(minutes((at) => 100 + at / 2 + noise(at)));
  expect(growth).toBeCloseTo(0.09, 1);
  expect(isFlat).toBe(false);
});

test("a series that rises by less than 5% is flat", () => {
  expect(trendOf(minutes((at) => 100 + at / 10)).isFlat).toBe(true);
});

test("one outlier, or two outliers at the end, do not change the trend", () => {
  expect(trendOf(minutes((at) => (at === 20 ? 900 : 100))).growth).toBe(0);
  expect(trendOf(minutes((at) => (at > 27 ? 900 : 100))).growth).toBe(0);
});

test("a series of random values is flat, even if the fitted line has a slope", () => {
  const jumping = minutes((at) => 100 + 60 * noise(at * 7));
  expect(trendOf(jumping).isFlat).toBe(true);
});

test("with a tolerance of 10, a small rise of a count is flat and a large rise is not", () => {
  expect(
    trendOf(
      minutes((at) => 60 + at / 4),
      10,
    ).isFlat,
  ).toBe(true);
  expect(
    trendOf(
      minutes((at) => 60 + at),
      10,
    ).isFlat,
  ).toBe(false);
});

test("a series that rises ever faster is not flat, even if its fitted line begins below zero", () => {
  expect(trendOf(minutes((at) => 30 + (at * at) / 3)).isFlat).toBe(false);
  expect(trendOf(minutes((at) => 60 * 2 ** (at / 5))).isFlat).toBe(false);
});

test("a series of zeros is flat, and a series with missing values is refused", () => {
  expect(trendOf(minutes(() => 0)).isFlat).toBe(true);
  expect(() => trendOf(minutes(() => Number.NaN))).toThrow("not measured");
});

test("a series of falling values is flat", () => {
  expect(trendOf(minutes((at) => 100 - at)).isFlat).toBe(true);
});

test("the median of an even number of values is the mean of the two middle values", () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

import { expect, test } from "vitest";
import { addDecimals, isDecimal, isLessDecimal } from "./decimal.ts";

test.each([
  ["0", "12.50", "12.50"],
  ["0.1", "0.2", "0.3"],
  ["0.01", "0.099", "0.109"],
  ["99.99", "0.01", "100.00"],
  ["90071992547409930", "3.5", "90071992547409933.5"],
])("%s plus %s is %s", (one, other, sum) => {
  expect(addDecimals(one, other)).toBe(sum);
  expect(addDecimals(other, one)).toBe(sum);
});

test.each([
  ["9", "10"],
  ["1.5", "1.49999", false],
  ["0.001", "0.01"],
  ["7.00", "7", false],
  ["90071992547409931", "90071992547409932"],
] as [string, string, boolean?][])(
  "the decimals %s and %s are compared exactly",
  (one, other, less = true) => {
    expect(isLessDecimal(one, other)).toBe(less);
  },
);

test.each(["", "-1", "1.", ".5", "1,000", "1e3", " 1"])(
  "'%s' is not accepted as a decimal",
  (text) => {
    expect(isDecimal(text)).toBe(false);
  },
);

import { expect, test } from "vitest";
import { passwordProblem, passwordStrength } from "./rules.ts";

const EMAIL = "saraswati@example.com";

test.each([
  ["1234567", "fields.password.short"],
  ["नमस्ते", "fields.password.short"],
  ["x".repeat(257), "fields.password.long"],
  ["Saraswati-2026", "fields.password.holdsEmail"],
  ["abababababab", "fields.password.monotonous"],
])("refuses %o and says why", (password, why) => {
  expect(passwordProblem(password, EMAIL)).toContain(why);
});

test.each(["four words of mine", "नमस्ते दाजुभाइ", "x1-".repeat(30) + "z", "with spaces "])(
  "takes %o",
  (password) => {
    expect(passwordProblem(password, EMAIL)).toBeNull();
  },
);

test.each([
  ["abcdefgh", "weak"],
  ["saraswati long enough", "weak"],
  ["plain-words", "fair"],
  ["four words of mine", "strong"],
  ["Kathmandu-2091!", "strong"],
])("says of %o that it is %s", (password, strength) => {
  expect(passwordStrength(password, EMAIL)).toBe(strength);
});

import { expect, test } from "vitest";
import { consistsOfNames, passwordProblem, passwordStrength } from "./rules.ts";

const EMAIL = "saraswati@example.com";

test.each([
  ["1234567", "fields.password.short"],
  ["नमस्ते", "fields.password.short"],
  ["x".repeat(257), "fields.password.long"],
  ["Saraswati-2026", "fields.password.holdsEmail"],
  ["abababababab", "fields.password.monotonous"],
])(
  "the password %o is refused for its length, repetition or the user's email",
  (password, why) => {
    expect(passwordProblem(password, EMAIL)).toContain(why);
  },
);

test.each(["four words of mine", "नमस्ते दाजुभाइ", "x1-".repeat(30) + "z", "with spaces "])(
  "the password %o is accepted",
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
])("the password %o is rated as %s", (password, strength) => {
  expect(passwordStrength(password, EMAIL)).toBe(strength);
});

const NAMES = ["Duebook", "फेवा गृह सेवा Home Services", "A1"];

test.each([
  "duebook-2026!",
  "D u e b o o k 1234",
  "DuebookDuebookDuebook",
  "ＤＵＥＢＯＯＫ-secret",
  "homeServices#99",
  "फेवा गृह सेवा २०२६",
  "Services for Home",
])("the password %o consists only of known names and trivial additions", (password) => {
  expect(consistsOfNames(password, NAMES)).toBe(true);
});

test.each([
  "four words of mine",
  "duebook but more of it",
  "A1 steak sauce",
  "!!!!????----",
  "home is where I wait",
])("the password %o does not consist only of known names", (password) => {
  expect(consistsOfNames(password, NAMES)).toBe(false);
});

import { expect, test } from "vitest";
import { passwordAdvice } from "./account.ts";

const PUBLIC = { HOST: "0.0.0.0" };

test.each([
  [{ BILLING_API_KEY: "a key" }, "BILLING_API_KEY is a live key"],
  [{ BILLING_API_KEY: "a key", DEMO_PASSWORD: "" }, "Set DEMO_PASSWORD"],
  [{ BILLING_API_KEY: "a key", DEMO_PASSWORD: "duebook-demo" }, "one of your own"],
  [{ BILLING_API_KEY: "a key", DEMONSTRATION: "off" }, "Set DEMO_PASSWORD"],
  [PUBLIC, "others can reach this installation"],
  [{ NEXTAUTH_URL: "https://desk.example" }, "or DEMONSTRATION=off"],
])("a start with the published password and the settings %o is refused", (variables, words) => {
  expect(passwordAdvice(variables)).toContain(words);
});

test.each([
  {},
  { BILLING_SANDBOX_API_KEY: "a key" },
  { BILLING_API_KEY: "a key", DEMO_PASSWORD: "our own words" },
  { ...PUBLIC, DEMO_PASSWORD: "our own words" },
  { ...PUBLIC, DEMONSTRATION: "off" },
])("a start with the settings %o is not refused for its password", (variables) => {
  expect(passwordAdvice(variables)).toBeNull();
});

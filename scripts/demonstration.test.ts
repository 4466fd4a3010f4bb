import { expect, test } from "vitest";
import { requireOwnPassword } from "./demonstration.ts";

test("a live key is stored for no account whose password is in the manual", () => {
  const live = { BILLING_API_KEY: "a key" };
  expect(() => requireOwnPassword(live)).toThrow("Set DEMO_PASSWORD too");
  expect(() => requireOwnPassword({ ...live, DEMO_PASSWORD: "" })).toThrow("DEMO_PASSWORD");
  expect(() => requireOwnPassword({ ...live, DEMO_PASSWORD: "our own words" })).not.toThrow();
  expect(() => requireOwnPassword({ BILLING_SANDBOX_API_KEY: "a key" })).not.toThrow();
});

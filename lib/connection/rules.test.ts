import { expect, test } from "vitest";
import { translatorOf } from "#tools/testing/messages.ts";
import {
  describeState,
  isPageClosed,
  pathInOtherMode,
  readKeyText,
  connectionStateOfFailure,
} from "./rules.ts";

const t = translatorOf("layout");

test.each([
  ["good", "/subscriptions", false],
  ["unverified", "/subscriptions", true],
  ["unverified", "/subscriptions/new", true],
  ["unverified", "/products", false],
  ["unverified", "/products-of-others", true],
  ["refused", "/products", true],
  ["refused", "/settings/connection", false],
  ["none", "", false],
  ["none", "/guide", false],
  ["none", "/figures", true],
  ["mode_absent", "/customers", true],
] as const)(
  "while the connection's state is %s, whether the page %o is closed: %o",
  (state, path, shut) => {
    expect(isPageClosed(state, path)).toBe(shut);
  },
);

test("only failures about the API key change the connection's state", () => {
  expect(connectionStateOfFailure({ kind: "unauthorized" })).toBe("refused");
  expect(connectionStateOfFailure({ kind: "not_connected" })).toBe("none");
  expect(connectionStateOfFailure({ kind: "unavailable", outcome_unknown: false })).toBeNull();
});

test.each(["none", "unverified", "refused", "undecryptable", "mode_absent"] as const)(
  "the text for the connection state %s has a title without a full stop and advice in a full sentence",
  (state) => {
    const { title, advice } = describeState(t, state, "live");
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect(advice).toMatch(/^[A-Z].*\.$/);
  },
);

test("the text for a mode that is not configured names the missing setting", () => {
  expect(describeState(t, "mode_absent", "live").advice).toContain("BILLING_API_URL");
  expect(describeState(t, "mode_absent", "test").advice).toContain("BILLING_SANDBOX_API_URL");
});

test.each([
  ["sk_test_12345", false],
  ["  sk_test_12345\n", false],
  ["Bearer sk_test_12345", true],
  ["Authorization: Bearer  sk_test_12345", true],
])("an API key is read from the pasted text %o", (text, had_prefix) => {
  expect(readKeyText(text)).toEqual({ apiKey: "sk_test_12345", had_prefix });
});

test.each([
  "",
  "   ",
  "Bearer ",
  "short",
  "two words here",
  "line\r\nbreak: x",
  "कुञ्जी-कुञ्जी",
  "x".repeat(600),
])("the text %o is rejected as an API key", (text) => {
  expect(readKeyText(text)).toHaveProperty("problem");
});

test.each([
  ["", ""],
  ["/subscriptions", "/subscriptions"],
  ["/subscriptions/0f1e", "/subscriptions"],
  ["/subscriptions/new", "/subscriptions/new"],
  ["/customers/12/history", "/customers"],
  ["/settings/connection", "/settings/connection"],
])("switching the mode on the page %o leads to the page %o", (path, other) => {
  expect(pathInOtherMode(path)).toBe(other);
});

import { expect, test } from "vitest";
import { HOME_PATH, safeCallbackPath } from "./callback-path.ts";

test.each([
  ["/subscriptions?status=due&page=2", "/subscriptions?status=due&page=2"],
  ["/subscriptions/new", "/subscriptions/new"],
  ["/a/../b", "/b"],
])("after the sign-in the requested path %s is opened as %s", (path, opened) => {
  expect(safeCallbackPath(path)).toBe(opened);
});

test.each([
  "https://evil.example/x",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/.//evil.example",
  "javascript:alert(1)",
  "subscriptions",
  "",
  undefined,
  ["/a", "/b"],
  "/sign-in?callbackUrl=/sign-in",
  "/api/subscriptions",
])("after the sign-in the home page is opened instead of %o", (wanted) => {
  expect(safeCallbackPath(wanted)).toBe(HOME_PATH);
});

import { expect, test } from "vitest";
import { HOME_PATH, safeCallbackPath } from "./callback-path.ts";

test.each([
  ["/subscriptions?status=due&page=2", "/subscriptions?status=due&page=2"],
  ["/subscriptions/new", "/subscriptions/new"],
  ["/a/../b", "/b"],
])("the path %s on this site is opened as %s", (path, opened) => {
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
])("the user is redirected to the home page instead of %o", (wanted) => {
  expect(safeCallbackPath(wanted)).toBe(HOME_PATH);
});

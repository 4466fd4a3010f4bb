import { expect, test } from "vitest";
import { isSameOrigin } from "./origin.ts";

const HOST = "desk.example:3000";

test.each([
  [{ origin: "http://desk.example:3000" }, true],
  [{ origin: "http://desk.example" }, false],
  [{ origin: "https://evil.example" }, false],
  [{ origin: "https://evil.example", "x-forwarded-host": "evil.example" }, false],
  [{ origin: "null" }, false],
  [{}, false],
  [{ "sec-fetch-site": "same-origin" }, true],
  [{ "sec-fetch-site": "same-site" }, false],
  [{ origin: "https://evil.example", "sec-fetch-site": "same-origin" }, false],
])("%o is from here: %s", (given, expected) => {
  expect(isSameOrigin(new Headers({ host: HOST, ...given }))).toBe(expected);
});

test("without a host nothing is from here", () => {
  expect(isSameOrigin(new Headers({ origin: "http://desk.example:3000" }))).toBe(false);
});

import { expect, test } from "vitest";
import { stubEnvironment } from "#tools/testing/person.ts";
import { clientAddress, isSameOrigin } from "./origin.ts";

stubEnvironment();
const HOST = "desk.example:3000";

test.each([
  [{ origin: "http://desk.example:3000" }, true],
  [{ origin: "https://desk.example:3000" }, false],
  [{ origin: "https://desk.example:3000", "x-forwarded-proto": "https" }, true],
  [{ origin: "http://desk.example:3000", "x-forwarded-proto": "https" }, false],
  [{ origin: "http://desk.example" }, false],
  [{ origin: "https://evil.example" }, false],
  [{ origin: "https://evil.example", "x-forwarded-host": "evil.example" }, false],
  [{ origin: "null" }, false],
  [{}, false],
  [{ "sec-fetch-site": "same-origin" }, true],
  [{ "sec-fetch-site": "same-site" }, false],
  [{ origin: "https://evil.example", "sec-fetch-site": "same-origin" }, false],
])(
  "whether a request with the headers %o comes from the same origin: %s",
  (given, expected) => {
    expect(isSameOrigin(new Headers({ host: HOST, ...given }))).toBe(expected);
  },
);

test("a request without a Host header is not from the same origin", () => {
  expect(isSameOrigin(new Headers({ origin: "http://desk.example:3000" }))).toBe(false);
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  [" 203.0.113.7 , 10.0.0.1", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8::1", "2001:db8::1"],
  ["not an address", null],
  ["203.0.113.7'; drop table session", null],
  ["", null],
])("the client address in the X-Forwarded-For header %o is read as %o", (header, expected) => {
  expect(clientAddress(new Headers({ "x-forwarded-for": header }))).toBe(expected);
});

test("a request without an X-Forwarded-For header has no client address", () => {
  expect(clientAddress(new Headers())).toBeNull();
});

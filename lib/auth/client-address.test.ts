import { expect, test } from "vitest";
import { clientAddress } from "./client-address.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  [" 203.0.113.7 , 10.0.0.1", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8::1", "2001:db8::1"],
  ["not an address", null],
  ["203.0.113.7'; drop table session", null],
  ["", null],
])("reads %o as %o", (header, expected) => {
  expect(clientAddress(new Headers({ "x-forwarded-for": header }))).toBe(expected);
});

test("a request without the header has no address", () => {
  expect(clientAddress(new Headers())).toBeNull();
});

import { expect, test } from "vitest";
import { digestOf } from "./row-digests.ts";

test("different records have different digests, and the digest of a record is computed once", () => {
  let made = 0;
  const milk = { id: "milk", toJSON: () => ({ id: "milk", made: (made += 1) }) };
  expect(digestOf(milk)).toBe(digestOf(milk));
  expect(made).toBe(1);
  expect(digestOf({ id: "milk" })).toBe(digestOf({ id: "milk" }));
  expect(digestOf({ id: "milk" })).not.toBe(digestOf({ id: "water" }));
  expect(digestOf(null)).not.toBe(digestOf("null"));
});

import { expect, test } from "vitest";
import { examinePath, parseExamineSearch } from "./search.ts";

test("reads a delivery and an attempt from the query string", () => {
  expect(parseExamineSearch({ delivery: "12", attempt: "3" })).toEqual({
    delivery: "12",
    attempt: 3,
    received: null,
  });
  expect(parseExamineSearch({ delivery: "../x", attempt: "0" })).toEqual({
    delivery: null,
    attempt: null,
    received: null,
  });
  expect(parseExamineSearch({ delivery: "12", received: "7" })).toEqual({
    delivery: null,
    attempt: null,
    received: "7",
  });
  expect(examinePath({ delivery: "12", attempt: 3 })).toBe(
    "/settings/webhooks/deliveries/examine?delivery=12&attempt=3",
  );
  expect(examinePath()).toBe("/settings/webhooks/deliveries/examine");
});

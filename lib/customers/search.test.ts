import { expect, test } from "vitest";
import { customersPath, parseCustomerSearch, readCustomerId } from "./search.ts";

const scope = { seller: "0a1b2c3d4e", mode: "test" } as const;

test("the URL of a customer search omits default values and is parsed back to the same search", () => {
  const search = { tag: "pays late", page: 3, page_size: 50 };
  const path = customersPath(scope, search);
  expect(path).toBe("/0a1b2c3d4e/test/customers?tag=pays+late&page=3&page_size=50");
  const { searchParams } = new URL(path, "http://here.invalid");
  expect(parseCustomerSearch(searchParams)).toEqual(search);
  expect(customersPath(scope, { page: 1, page_size: 20 })).toBe("/0a1b2c3d4e/test/customers");
});

test("a customer's id in a URL must be a positive integer", () => {
  const texts = [
    "7",
    "9007199254740991",
    "0",
    "-1",
    "1.0",
    "07",
    "x",
    "9007199254740993",
    "9".repeat(30),
  ];
  expect(texts.map(readCustomerId)).toEqual([7, 9007199254740991, ...Array(7).fill(null)]);
});

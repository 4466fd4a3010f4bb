import { describe, expect, test } from "vitest";
import {
  customersPath,
  parseCustomerSearch,
  readCustomerId,
  searchCustomers,
} from "./search.ts";

const scope = { seller: "0a1b2c3d4e", mode: "test" } as const;

test("an address and its state are each other's inverse, and defaults are left out", () => {
  const search = { page: 3, page_size: 50 };
  const path = customersPath(scope, search);
  expect(path).toBe("/0a1b2c3d4e/test/customers?page=3&page_size=50");
  const { searchParams } = new URL(path, "http://here.invalid");
  expect(parseCustomerSearch(searchParams)).toEqual(search);
  expect(customersPath(scope, { page: 1, page_size: 20 })).toBe("/0a1b2c3d4e/test/customers");
});

test("an id is a whole number above nothing", () => {
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

describe("a search among customers", () => {
  const customer = (id: number, full_name: string, buyer_phone: string) => ({
    id,
    full_name,
    buyer_phone,
    buyer_email: `buyer${id}@example.com`,
    created_at: "2026-11-20T00:00:00Z",
  });
  const customers = [
    customer(1, "Élise Thapa", "9800000001"),
    customer(2, "सृजना लिम्बू", "+977 980-111-2222"),
    customer(3, "Ram", "९८०३३३४४४४"),
  ];

  test.each([
    ["elise", [1]],
    ["thapa ÉLISE", [1]],
    ["लिम्बू", [2]],
    ["buyer3@", [3]],
    ["9801112222", [2]],
    ["+977 9801112222", [2]],
    ["३३३४", [3]],
    ["98", [1, 2, 3]],
    ["thapa ram", []],
    ["srijana limbu", [2]],
    ["थापा", [1]],
    ["555", []],
  ])("for %s finds %o", (q, ids) => {
    expect(searchCustomers(customers, q).map(({ id }) => id)).toEqual(ids);
  });
});

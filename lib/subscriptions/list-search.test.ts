import { expect, test } from "vitest";
import { findQueryString, isPlain, nextSort, parseFindSearch } from "./list-search.ts";

test("one view has one address, which reads as what it was", () => {
  const search = parseFindSearch({
    status: "due",
    product: " Milk ",
    next_to: "2026-12-01",
    price_from: "1,500.50",
    sort: "-next_billing",
    page: "2",
  });
  const address = findQueryString(search);
  expect(address).toBe(
    "?status=due&product=Milk&next_to=2026-12-01&price_from=1500.50&sort=-next_billing&page=2",
  );
  expect(parseFindSearch(new URLSearchParams(address))).toEqual(search);
});

test("what cannot be read is left out", () => {
  const search = parseFindSearch({
    status: "paid",
    next_from: "2026-02-30",
    price_from: "-1",
    price_to: "1e5",
    sort: "-colour",
    product: " ",
    page: "0",
  });
  expect(findQueryString(search)).toBe("");
});

test("a form is read as an address, from its first page on", () => {
  const form = new FormData();
  form.set("plan", "Gold");
  form.set("price_to", "");
  expect(findQueryString(parseFindSearch(form))).toBe("?plan=Gold");
});

test("the API is asked for what it knows: a status and a page", () => {
  expect(isPlain(parseFindSearch({ status: "due", page: "3" }))).toBe(true);
  expect(isPlain(parseFindSearch({ plan: "Gold" }))).toBe(false);
  expect(isPlain(parseFindSearch({ sort: "price" }))).toBe(false);
});

test("a column is sorted upwards, downwards and no more", () => {
  expect(nextSort(null, "price")).toBe("price");
  expect(nextSort("-buyer", "price")).toBe("price");
  expect(nextSort("price", "price")).toBe("-price");
  expect(nextSort("-price", "price")).toBeNull();
});

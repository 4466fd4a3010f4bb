import fc from "fast-check";
import { expect, test } from "vitest";
import {
  calendarDayOrNull,
  defineSearch,
  textMatching,
  oneOf,
  oneOfWithDefault,
  shortText,
  wholeNumber,
  wholeNumberWithDefault,
  type SearchOf,
} from "./search-params.ts";

const search = defineSearch({
  status: oneOf(["active", "due"]),
  show: oneOfWithDefault(["open", "all"], "open"),
  days: oneOfWithDefault([7, 30], 30),
  id: textMatching(/^\w{1,5}$/),
  product: shortText(5),
  from: calendarDayOrNull(),
  before: wholeNumber(99),
  page: wholeNumberWithDefault(50, 1),
});
const usual = search.parse({});

test("missing and unreadable parameters get their default values", () => {
  expect(usual).toEqual({
    status: null,
    show: "open",
    days: 30,
    id: null,
    product: null,
    from: null,
    before: null,
    page: 1,
  });
  const unreadable =
    "?status=x&show=x&days=8&id=a.b&product=+&from=2026-02-30&before=100&page=0&other=1";
  expect(search.parse(new URLSearchParams(unreadable))).toEqual(usual);
  expect(search.parse({ status: ["due", "active"] })).toEqual(usual);
});

test("a query string contains only values that differ from the defaults", () => {
  expect(search.toQuery(usual)).toBe("");
  expect(search.toQuery({})).toBe("");
  expect(search.toQuery({ page: 2, status: "due", show: "open", product: "a b" })).toBe(
    "?status=due&product=a+b&page=2",
  );
});

test("a form is parsed like a URL, with values trimmed and cut to the maximum length", () => {
  const form = new FormData();
  form.set("product", "  coffee house ");
  form.set("status", "due");
  expect(search.parse(form)).toEqual({ ...usual, product: "coffe", status: "due" });
});

test("the last value of a repeated parameter counts", () => {
  expect(search.parse(new URLSearchParams("page=2&page=3")).page).toBe(3);
});

test("search parameters written to a query string are read back unchanged", () => {
  const states: fc.Arbitrary<SearchOf<typeof search>> = fc.record({
    status: fc.constantFrom("active" as const, "due" as const, null),
    show: fc.constantFrom("open" as const, "all" as const),
    days: fc.constantFrom(7 as const, 30 as const),
    id: fc.option(fc.stringMatching(/^\w{1,5}$/)),
    product: fc.option(fc.stringMatching(/^[^\s]{1,5}$/)),
    from: fc.constantFrom("2026-11-24", null),
    before: fc.option(fc.integer({ min: 1, max: 99 })),
    page: fc.integer({ min: 1, max: 50 }),
  });
  fc.assert(
    fc.property(states, (state) => {
      expect(search.parse(new URLSearchParams(search.toQuery(state)))).toEqual(state);
    }),
  );
});

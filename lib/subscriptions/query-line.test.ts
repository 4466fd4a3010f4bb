import { describe, expect, test } from "vitest";
import {
  filterChipsOf,
  parseLine,
  printLine,
  addFilters,
  removeFilter,
  searchWhileTyping,
} from "./query-line.ts";
import type { Filters } from "#lib/search-index/query/subscription-filters.ts";
import { NO_FILTERS, parseSubscriptionSearch } from "./search.ts";

const given = (filters: Filters) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null));

describe("the search line", () => {
  test("may contain search words and filters in any order", () => {
    const line = parseLine('asha  status:due plan:"gold plus" shrestha next:<2026-12-01');
    expect(line.words).toBe("asha shrestha");
    expect(given(line.filters)).toEqual({
      status: "due",
      plan: "gold plus",
      next_to: "2026-11-30",
    });
    expect(line.problems).toEqual([]);
  });

  test.each([
    ["next:2026-12-01", { next_from: "2026-12-01", next_to: "2026-12-01" }],
    ["next:>2026-12-31", { next_from: "2027-01-01" }],
    ["next:>=2026-12-01 next:<=2026-12-05", { next_from: "2026-12-01", next_to: "2026-12-05" }],
    ["created:2026-12-01..", { created_from: "2026-12-01" }],
    ["created:..२०२६-१२-०५", { created_to: "2026-12-05" }],
    ["lost:2026-11-01..2026-11-30", { lost_from: "2026-11-01", lost_to: "2026-11-30" }],
    [
      "paid:>=2026-11-01 started:2026-11-02",
      { started_from: "2026-11-02", started_to: "2026-11-02", paid_from: "2026-11-01" },
    ],
    ["price:>=1,500", { price_from: "1500" }],
    ["price:<99.50 price:>10", { price_under: "99.50", price_over: "10" }],
    ["price:100..200", { price_from: "100", price_to: "200" }],
    ["price:=१००", { price_from: "100", price_to: "100" }],
    ["STATUS:Pending-Checkout", { status: "pending_checkout" }],
    ['status:"pending cancellation"', { status: "pending_cancellation" }],
    ["product:दूध", { product: "दूध" }],
    ["plan:gold plan:silver", { plan: "silver" }],
  ])("reads %s as filters", (text, filters) => {
    const line = parseLine(text);
    expect([given(line.filters), line.words, line.problems]).toEqual([filters, "", []]);
  });

  test.each([
    ["colour:red", "field"],
    ["status:paid", "status"],
    ["next:tomorrow", "day"],
    ["next:2026-02-30", "day"],
    ["next:..", "day"],
    ["next:>2026-01-01..2026-02-01", "day"],
    ["price:cheap", "price"],
    ["price:..", "price"],
    ["price:1..2..3", "price"],
    ["price:-5", "price"],
    ["plan:", "empty"],
    ['plan:""', "empty"],
  ])("ignores the wrong filter %s and reports a problem of the kind %s", (text, kind) => {
    const line = parseLine(`asha ${text}`);
    expect(line.problems).toEqual([{ kind, text }]);
    expect([given(line.filters), line.words]).toEqual([{}, "asha"]);
  });

  test("treats URLs, times and single colons as search words, not as filters", () => {
    for (const text of ["https://a.example/pay/1", "10:30", ":", "a : b"])
      expect(parseLine(text)).toEqual({ words: text, filters: NO_FILTERS, problems: [] });
  });

  test("ignores its last filter while a user has not finished typing it", () => {
    const shown = { ...parseSubscriptionSearch({}), page: 3 };
    const typed = (line: string) => searchWhileTyping(shown, line);
    expect(typed("asha stat")).toEqual({ search: shown, words: "asha stat" });
    expect(typed("asha status:d")).toEqual({ search: shown, words: "asha" });
    expect(typed("asha status:due")).toEqual({
      search: { ...shown, status: "due" },
      words: "asha",
    });
  });

  test.each([
    "asha status:due product:milk next:2026-12-01..2026-12-05 price:>=500",
    'plan:"gold plus" created:2026-12-01 price:>10 price:<99.50',
    "started:2026-12-01 lost:<=2026-12-05 saved:>=2026-01-01 paid:2026-01-01..2026-01-31",
    "next:<=2026-12-05 created:>=2026-01-01 price:100",
  ])("is unchanged after it is parsed and printed: %s", (text) => {
    expect(printLine(parseLine(text))).toBe(text);
  });
});

describe("filter chips", () => {
  const { filters } = parseLine("status:due next:2026-12-01..2026-12-05 price:>10");

  test("combine both bounds of a range in one chip", () => {
    expect(filterChipsOf(filters).map(({ field, names }) => [field, names])).toEqual([
      ["status", ["status"]],
      ["next", ["next_from", "next_to"]],
      ["price", ["price_over"]],
    ]);
  });

  test("remove both bounds of a range together", () => {
    const left = filterChipsOf(filters).reduce(removeFilter, filters);
    expect(left).toEqual(NO_FILTERS);
  });

  test("replace the old bound of a price range by a new one", () => {
    const changed = addFilters(filters, { price_from: "20", plan: null });
    expect(given(changed)).toMatchObject({ price_from: "20", status: "due" });
    expect(changed.price_over).toBeNull();
  });
});

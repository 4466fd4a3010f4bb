import { expect, test } from "vitest";
import { parseSalesBook, salesBookPath } from "#lib/payments/statement/search.ts";
import { parseBillSearch } from "./search.ts";

test.each([
  ["१२", "१२"],
  ["R-2083/84", "R-2083/84"],
  ["", null],
  ["a\u200eb", null],
  ["1".repeat(41), null],
])("the search %j for a bill's number is kept only if the service accepts it", (q, read) => {
  expect(parseBillSearch({ q }).q).toBe(read);
});

test("the chosen fiscal year is written to the URL of a sales book and read back", () => {
  const scope = { seller: "0123456789", mode: "test" } as const;
  const parsed = (year: string | null) => {
    const search = { month: "2026-11", span: "year", book: "csv", year } as const;
    const { searchParams } = new URL(salesBookPath(scope, search), "https://desk.example");
    return parseSalesBook(searchParams)?.year;
  };
  expect(["2082/83", "2025", null].map(parsed)).toEqual(["2082/83", "2025", null]);
});

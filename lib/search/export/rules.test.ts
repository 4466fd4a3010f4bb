import { expect, test } from "vitest";
import { parseFindSearch } from "../search.ts";
import { columnsForFile, EXPORT_COLUMNS } from "./rules.ts";
import { exportQueryString, parseExportSearch } from "./search.ts";

test("a column of the list is as many of the file as it shows", () => {
  expect(columnsForFile(["price", "buyer", "product"])).toEqual([
    "price",
    "to_pay",
    "currency",
    "buyer",
    "product",
    "plan",
    "period",
  ]);
});

test("what is not known is left out, and with nothing known all is there", () => {
  expect(columnsForFile(["gone", "status"])).toEqual(["status"]);
  expect(columnsForFile(null)).toEqual(EXPORT_COLUMNS);
  expect(columnsForFile(["gone"])).toEqual(EXPORT_COLUMNS);
});

test("an address says what is listed and how it is written, never which page", () => {
  const search = parseFindSearch({ status: "due", sort: "-price", page: "3", page_size: "50" });
  const text = exportQueryString({ search, format: "xlsx", columns: ["buyer", "price"] });
  expect(text).toBe("?status=due&sort=-price&format=xlsx&columns=buyer%2Cprice");
  expect(parseExportSearch(new URLSearchParams(text))).toMatchObject({
    format: "xlsx",
    columns: ["buyer", "price"],
    search: { status: "due", sort: "-price", page: 1 },
  });
  expect(parseExportSearch({ format: "exe" })).toMatchObject({ format: "csv", columns: null });
});

import { expect, test } from "vitest";
import { makeSubscription } from "#tools/testing/fixtures/records-fixture.ts";
import { parseSubscriptionSearch } from "../search.ts";
import { COLUMN_RULES, columnsForFile, EXPORT_COLUMNS } from "./columns.ts";
import { exportQueryString, parseExportSearch } from "./queries.ts";

test("one column of the list is exported as several columns if it shows several values", () => {
  expect(columnsForFile(["price", "buyer", "product"])).toEqual([
    "price",
    "to_pay",
    "to_pay_known_by",
    "currency",
    "buyer",
    "product",
    "plan",
    "period",
  ]);
});

test("an ended subscription has no next billing date in the exported file", () => {
  const next_billing_cycle = "2026-11-30T00:00:00Z";
  const cellOf = (status: string) => {
    const record = makeSubscription({ status, next_billing_cycle });
    return COLUMN_RULES.next_billing.read(record, () => expect.fail("nobody asked"));
  };
  expect(cellOf("active")).toBe(next_billing_cycle);
  expect(cellOf("pending_cancellation")).toBe(next_billing_cycle);
  expect(cellOf("cancelled")).toBeNull();
  expect(cellOf("inactive")).toBeNull();
});

test("unknown columns are ignored, and all columns are exported if no known column is chosen", () => {
  expect(columnsForFile(["gone", "status"])).toEqual(["status"]);
  expect(columnsForFile(null)).toEqual(EXPORT_COLUMNS);
  expect(columnsForFile(["gone"])).toEqual(EXPORT_COLUMNS);
});

test("the export URL contains filters, order, format and columns, but no page number", () => {
  const search = parseSubscriptionSearch({
    status: "due",
    sort: "-price",
    page: "3",
    page_size: "50",
  });
  const text = exportQueryString({ search, format: "xlsx", columns: ["buyer", "price"] });
  expect(text).toBe("?status=due&sort=-price&format=xlsx&columns=buyer%2Cprice");
  expect(parseExportSearch(new URLSearchParams(text))).toMatchObject({
    format: "xlsx",
    columns: ["buyer", "price"],
    search: { status: "due", sort: "-price", page: 1 },
  });
  expect(parseExportSearch({ format: "exe" })).toMatchObject({ format: "csv", columns: null });
});

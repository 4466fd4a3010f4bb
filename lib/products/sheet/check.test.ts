import { expect, test } from "vitest";
import type { AccountProduct } from "#contract/account.ts";
import { csvFile } from "#lib/files/table-file.ts";
import { translateMessage } from "#lib/i18n/message.ts";
import { makeAccountProduct, makePeriod } from "#tools/testing/fixtures/catalogue-fixture.ts";
import { fullTranslator, translatorOf } from "#tools/testing/messages.ts";
import { checkSheet } from "./check.ts";
import { headingOf, SHEET_COLUMNS, type SheetColumn } from "./columns.ts";
import { readSheet } from "./table.ts";

const english = translatorOf("sheet");
const nepali = translatorOf("sheet", "ne");
const languages = [english, nepali] as const;
const context = { languages, format: translatorOf("format"), currency: "NPR" };

const bytesOf = async (stream: ReadableStream<Uint8Array>) =>
  new Uint8Array(await new Response(stream).arrayBuffer());

async function check(cells: string[][], saved: AccountProduct[] = []) {
  const [headings = [], ...rows] = cells;
  const table = await readSheet(await bytesOf(csvFile(headings, rows)), languages);
  const { rows: checked, changes } = checkSheet(table, saved, context);
  const t = fullTranslator();
  return {
    changes,
    rows: checked.map(({ outcome, problems, details }) => [
      outcome,
      ...problems.map((text) => translateMessage(t, text)),
      ...details.map(({ column, before, after }) => `${column}: ${before} → ${after}`),
    ]),
  };
}

const HEADINGS = ["Product", "Price", "Billing period ID"];

test("a file with only names and prices adds products with default values", async () => {
  const { rows, changes } = await check([
    ["Product", "Price"],
    ["Milk", "100"],
    ["काठमाडौँ तरकारी ४ किलो", "1200.50"],
  ]);
  expect(rows).toEqual([
    ["add", "price:  → 100"],
    ["add", "price:  → 1200.50"],
  ]);
  expect(changes.map(({ kind, name }) => [kind, name])).toEqual([
    ["add", "Milk"],
    ["add", "काठमाडौँ तरकारी ४ किलो"],
  ]);
  expect(changes[0]?.product.plans).toMatchObject([
    {
      plan_name: "Standard",
      periods: [{ label: "Every month", price: "100", currency: "NPR", is_archived: false }],
    },
  ]);
});

test.each([
  ["0", "The amount must be more than 0."],
  ["-1", "The amount cannot be negative."],
  ["−1", "The amount cannot be negative."],
  ["1e30", "Enter an amount with digits only, such as 1200 or 1200.50."],
  ["9.999", "Use at most two decimals."],
  ["1,200", "Write the amount without commas, such as 1200.50."],
  ["", "Enter an amount, such as 1200 or 1200.50."],
])("a row with the price %j is refused, and the other rows are not", async (price, words) => {
  const { rows, changes } = await check([
    ["Product", "Price"],
    ["Milk", price],
    ["Curd", "5"],
  ]);
  expect(rows).toEqual([
    ["refused", words],
    ["add", "price:  → 5"],
  ]);
  expect(changes).toHaveLength(1);
});

test("an unknown value or ID is refused with the name of its column", async () => {
  const row = (changes: Partial<Record<SheetColumn, string>>) =>
    SHEET_COLUMNS.map((column) => ({ product: "Milk", price: "5", ...changes })[column] ?? "");
  const { rows } = await check([
    SHEET_COLUMNS.map((column) => headingOf(english, column)),
    row({ currency: "XYZ" }),
    row({ interval: "fortnight" }),
    row({ interval_count: "1.5" }),
    row({ vat: "some" }),
    row({ vat: "inclusive", vat_percentage: "101" }),
    row({ archived: "perhaps" }),
    row({ offers: "cheap" }),
    row({ product: "Curd", offers: "5 2026-02-01..2026-01-01" }),
    row({ order: "0" }),
    row({ product_id: "none" }),
    row({ product: "", price: "5" }),
  ]);
  expect(rows.map(([outcome, words]) => [outcome, words])).toEqual([
    ["refused", "Currency: “XYZ” is not known."],
    ["refused", "Interval: “fortnight” is not known."],
    ["refused", "Enter a whole number from 1 to 1000."],
    ["refused", "VAT: “some” is not known."],
    ["refused", "Enter a rate from 0.01 to 100."],
    ["refused", "Archived: “perhaps” is not known."],
    ["refused", "Offers: “cheap” is not known."],
    ["refused", "The last day is before the first day."],
    ["refused", "Order: “0” is not known."],
    [
      "refused",
      "Product ID: there is no such ID in this catalogue. Leave the IDs empty to add the row as new.",
    ],
    ["refused", "Enter the name of the product."],
  ]);
});

test("a changed price is shown with the old price; an archived period's ID refers to its replacement", async () => {
  const file = [HEADINGS, ["Milk", "1200", "pbp_a"]];
  const before = [makeAccountProduct("Milk", [makePeriod("pbp_a")])];
  const first = await check(file, before);
  expect(first.rows).toEqual([["change", "price: 1000.00 → 1200"]]);
  expect(first.changes).toMatchObject([
    { kind: "change", product_id: "Milk", version: "version Milk", is_active: true },
  ]);
  const after = [
    makeAccountProduct("Milk", [
      makePeriod("pbp_b", { price: "1200.00", replaces: "pbp_a", label: "pbp_a" }),
      makePeriod("pbp_a", { is_archived: true }),
    ]),
  ];
  expect(await check(file, after)).toEqual({ rows: [["same"]], changes: [] });
});

test("a row without IDs is matched by its names, and refused if it matches several records", async () => {
  const saved = [
    makeAccountProduct("one", [makePeriod("pbp_a", { label: "Every month" })], {
      name: "Milk",
    }),
    makeAccountProduct("two", [makePeriod("pbp_b")], { name: "Twin" }),
    makeAccountProduct("three", [makePeriod("pbp_c")], { name: "Twin" }),
  ];
  const { rows } = await check(
    [
      ["Product", "Price"],
      ["Milk", "1100"],
      ["Twin", "5"],
    ],
    saved,
  );
  expect(rows).toEqual([
    ["change", "price: 1000.00 → 1100"],
    ["refused", "Several products have this name. Enter the product ID."],
  ]);
});

test("a second row for one billing period and rows that contradict each other are refused", async () => {
  const saved = [makeAccountProduct("Milk", [makePeriod("pbp_a"), makePeriod("pbp_b")])];
  const { rows } = await check(
    [
      [...HEADINGS, "Interval", "Currency"],
      ["Milk", "1000", "pbp_a"],
      ["Milk", "1000", "pbp_a"],
      ["Curd", "1000", "pbp_b"],
      ["Milk", "1000", "pbp_b", "year"],
    ].map((row) => [...row, "", "", ""].slice(0, 5)),
    saved,
  );
  expect(rows).toEqual([
    ["same"],
    ["refused", "Row 2 is about the same billing period."],
    ["refused", "Product differs from row 2, but is the same for all of them."],
    ["refused", "Row 4 is about the same billing period."],
  ]);
});

test("a change of interval or currency, or of the price of an archived billing period, is refused", async () => {
  const saved = [
    makeAccountProduct("Milk", [
      makePeriod("pbp_a"),
      makePeriod("pbp_b"),
      makePeriod("pbp_c", { is_archived: true }),
    ]),
  ];
  const { rows } = await check(
    [
      [...HEADINGS, "Interval", "Currency", "Archived"],
      ["Milk", "1000", "pbp_a", "year", "", ""],
      ["Milk", "1000", "pbp_b", "", "USD", ""],
      ["Milk", "900", "pbp_c", "", "", "yes"],
    ],
    saved,
  );
  const fixed =
    "Interval and currency of a billing period stay. Archive this one, and add a row without a billing period ID.";
  expect(rows).toEqual([
    ["refused", fixed],
    ["refused", fixed],
    ["refused", "The price and offers of an archived billing period stay."],
  ]);
});

test("archiving the last billing period on sale is refused, unless the product goes off sale", async () => {
  const saved = [makeAccountProduct("Milk", [makePeriod("pbp_a")])];
  const headings = [...HEADINGS, "Archived", "On sale"];
  const last = await check([headings, ["Milk", "1000", "pbp_a", "yes", ""]], saved);
  expect(last.rows).toEqual([["refused", expect.stringContaining("the last billing period")]]);
  const off = await check([headings, ["Milk", "1000", "pbp_a", "yes", "no"]], saved);
  expect(off.rows).toEqual([["change", "on_sale: yes → no", "archived: no → yes"]]);
  expect(off.changes).toMatchObject([{ is_active: false }]);
});

test("a formula is refused, and an apostrophe that an export added is not part of a name", async () => {
  const table = await readSheet(
    new TextEncoder().encode("Product,Price\n=A1,5\nMilk,=1+1\n'=Milk,5\n"),
    languages,
  );
  const { rows, changes } = checkSheet(table, [], context);
  const t = fullTranslator();
  expect(rows.map(({ problems }) => problems.map((text) => translateMessage(t, text)))).toEqual(
    [
      ["Product has a formula. Put its value in its place."],
      ["Price has a formula. Put its value in its place."],
      [],
    ],
  );
  expect(changes.map(({ name }) => name)).toEqual(["=Milk"]);
});

test("a row with an order moves its billing period, and the same file changes nothing when imported again", async () => {
  const saved = [
    makeAccountProduct("Milk", [makePeriod("pbp_a"), makePeriod("pbp_b"), makePeriod("pbp_c")]),
  ];
  const file = [
    [...HEADINGS, "Order"],
    ["Milk", "1000", "pbp_c", "1"],
  ];
  const { rows, changes } = await check(file, saved);
  expect(rows).toEqual([["change", "order: 3 → 1"]]);
  const keys = changes[0]?.product.plans[0]?.periods.map(({ key }) => key);
  expect(keys).toEqual(["pbp_c", "pbp_a", "pbp_b"]);
  const after = [
    makeAccountProduct("Milk", [makePeriod("pbp_c"), makePeriod("pbp_a"), makePeriod("pbp_b")]),
  ];
  expect((await check(file, after)).changes).toEqual([]);
});

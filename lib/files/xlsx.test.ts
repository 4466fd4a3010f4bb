import { expect, test } from "vitest";
import { readWorkbook } from "#tools/testing/read-workbook.ts";
import { sheetNumber, xlsxStream, type Sheet, type SheetCell } from "./xlsx.ts";

async function* rowsOf(...rows: SheetCell[][]) {
  yield* rows;
}

async function write(sheet: Partial<Sheet> & Pick<Sheet, "rows">) {
  const headings = [{ text: "Name", isMoment: false }];
  const stream = xlsxStream({ name: "People", headings, ...sheet });
  return readWorkbook(Buffer.from(await new Response(stream).arrayBuffer()));
}

test.each([
  "=1+1",
  "+977",
  "-2",
  "@SUM(A1)",
  "सरस्वती",
  "<b>&\"'",
  " two  ",
  "_x0041_",
  "a\nb",
  "घ्यू 🧈",
])("the text %j is read from the workbook unchanged", async (text) => {
  const [sheet] = await write({ rows: rowsOf([text]) });
  expect(sheet?.[1]).toEqual({ A: { kind: "text", value: text } });
});

test("characters that a workbook cannot hold are removed or replaced, and long texts are cut", async () => {
  const rows = rowsOf(["a\0b\u0007c\ufffe"], ["\ud800 half"], ["x".repeat(40_000)]);
  const [sheet] = await write({ rows });
  expect(sheet?.slice(1).map(({ A }) => A?.value)).toEqual([
    "abc",
    "\ufffd half",
    "x".repeat(32_767),
  ]);
});

test("a moment is stored as a serial date without a time zone", async () => {
  const headings = [{ text: "When", isMoment: true }];
  const [sheet] = await write({ headings, rows: rowsOf([new Date("2026-12-01T18:00:00Z")]) });
  expect(sheet?.[1]).toEqual({ A: { kind: "number", value: "46357.75" } });
});

test("rows that do not fit on one sheet continue on a second sheet with the same headings", async () => {
  const sheets = await write({ rows: rowsOf(["a"], ["b"], ["c"]), mostRows: 3 });
  expect(sheets.map((rows) => rows.map(({ A }) => A?.value))).toEqual([
    ["Name", "a", "b"],
    ["Name", "c"],
  ]);
});

test.each([
  ["499.99", 499.99],
  ["0.10", 0.1],
  ["999999999999999", 999_999_999_999_999],
  ["1234567890123456.78", "1234567890123456.78"],
  ["-113.00", -113],
  ["free", "free"],
  ["", ""],
])("the decimal text %o is stored in a sheet as %o", (text, cell) => {
  expect(sheetNumber(text)).toBe(cell);
});

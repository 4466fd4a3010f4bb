import { writeXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import { readImport } from "./read-file.ts";
import { shownText } from "./read-cells.ts";
import { MAX_IMPORT_ROWS } from "./rules.ts";

const read = (content: string | Uint8Array) => readImport(Buffer.from(content), new Map());

test("a title above the headings and empty rows are skipped, and rows keep their row numbers", async () => {
  const table = await read(
    "Members of the gym;;\n;;\nName;Mobile;Note\n\nAsha;9841000001;=1\n;;\n",
  );
  expect(table).toMatchObject({
    headings: ["Name", "Mobile", "Note"],
    columns: ["name", "phone", null],
    rows: [{ position: 5, cells: ["Asha", "9841000001", null] }],
  });
});

test("a workbook and pasted cells give the same table", async () => {
  const rows = [
    ["नाम", "फोन", "भुक्तानी मिति"],
    ["आशा", 9_841_000_001, new Date("2026-12-01T00:00:00Z")],
  ];
  const workbook = await writeXlsx({ sheets: [{ name: "Sheet", rows }] });
  const pasted = "नाम\tफोन\tभुक्तानी मिति\nआशा\t9841000001\t2026-12-01";
  expect(await read(workbook)).toEqual(await read(pasted));
  expect((await read(workbook)).columns).toEqual(["name", "phone", "paid_until"]);
});

test("the first row of a file without headings is read as data", async () => {
  const table = await read("Asha Rai,9841000001\nBimal Rai,9841000002");
  expect(table).toMatchObject({ headings: null, columns: ["name", "phone"] });
  expect(table.rows.map(({ position }) => position)).toEqual([1, 2]);
});

test.each([
  ["headings alone", "Name,Phone\n", "empty"],
  ["too many rows", `Name\n${"a\n".repeat(MAX_IMPORT_ROWS + 1)}`, "large"],
  ["too many columns", `Name${",a".repeat(60)}\n${"a,".repeat(60)}a`, "large"],
])("an import file with %s is refused", async (_, content, reason) => {
  await expect(read(content)).rejects.toMatchObject({ reason });
});

test("invisible characters and a leading apostrophe are removed from cells", () => {
  expect(shownText("\ufeff\u00a0Asha\u200b \u00a0Rai\n")).toBe("Asha Rai");
  expect(shownText("'+977 9841000001")).toBe("+977 9841000001");
});

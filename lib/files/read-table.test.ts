import { deflateRawSync } from "node:zlib";
import { writeXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import { readTable, type NoTableError } from "./read-table.ts";

const limits = {
  mostRows: 4,
  fit: (headings: (string | null)[]) =>
    headings.filter((heading) => heading === "Name" || heading === "Price").length,
};
const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");
const read = async (bytes: Uint8Array) => (await readTable(bytes, limits)).rows;
const reasonOf = (bytes: Uint8Array) =>
  readTable(bytes, limits).then(
    () => null,
    (error: NoTableError) => error.reason,
  );

test.each([
  ["commas", utf8("Name,Price\r\nघ्यू,5\r\n")],
  ["a byte order mark", utf8("\uFEFFName,Price\nघ्यू,5")],
  ["semicolons", utf8("Name;Price\nघ्यू;5")],
  ["tabs", utf8("Name\tPrice\nघ्यू\t5")],
  ["UTF-16", utf16("Name\tPrice\nघ्यू\t5")],
])("a text with %s is read as a table", async (_, bytes) => {
  const rows = await read(bytes);
  expect(rows.slice(0, 2)).toEqual([
    ["Name", "Price"],
    ["घ्यू", "5"],
  ]);
});

test("quoted separators and line breaks stay within their cell, and a formula is read as empty", async () => {
  expect(await read(utf8('Name;Price\n"a;b\nc";=1+1\n\'=1;"1,200"'))).toEqual([
    ["Name", "Price"],
    ["a;b\nc", null],
    ["'=1", "1,200"],
  ]);
});

test("a file that is not UTF-8 is read as Windows-1252 and marked as guessed", async () => {
  const bytes = Buffer.from("Name,Price\nCaf\xe9 \x80,5", "latin1");
  expect(await readTable(bytes, limits)).toMatchObject({
    rows: [
      ["Name", "Price"],
      ["Café €", "5"],
    ],
    isGuessed: true,
  });
});

test("numbers and dates of a workbook are read as text, and formulas as empty cells", async () => {
  const workbook = await writeXlsx({
    sheets: [
      {
        name: "Sheet",
        rows: [
          ["Name", "Price", "Day"],
          ["=1", 1e30, new Date("2026-01-31T00:00:00Z")],
          ["घ्यू", null, true],
        ],
        cells: new Map([["2,1", { formula: "1+2" }]]),
      },
    ],
  });
  expect(await read(workbook)).toEqual([
    ["Name", "Price", "Day"],
    ["=1", "1e+30", "2026-01-31"],
    ["घ्यू", null, "true"],
  ]);
});

/** A ZIP with only this part, with the size that its directory claims. */
function zipOf(name: string, content: Buffer, claimed: number): Buffer {
  const packed = deflateRawSync(content);
  const local = Buffer.alloc(30);
  local.write("PK\x03\x04", "latin1");
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(claimed, 22);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.write("PK\x01\x02", "latin1");
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(claimed, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  return Buffer.concat([local, Buffer.from(name), packed, entry, Buffer.from(name), end]);
}

const zeros = Buffer.alloc(40 * 1024 * 1024);

test.each([
  ["blank text", utf8(" \n\n"), "empty"],
  ["an old or encrypted workbook", Buffer.from("d0cf11e0a1b11ae1", "hex"), "old_workbook"],
  ["a PDF", Buffer.from("%PDF-1.7\n%\x01\x02\x00", "latin1"), "no_table"],
  ["a picture", Buffer.from("89504e470d0a1a0a0000", "hex"), "no_table"],
  ["a ZIP that is no workbook", zipOf("a.txt", Buffer.from("a"), 1), "no_table"],
  ["a damaged workbook", Buffer.from("PK\x03\x04 and no more", "latin1"), "no_table"],
  ["a small workbook of 40 MB", zipOf("xl/workbook.xml", zeros, zeros.length), "no_table"],
  ["a workbook that hides its size", zipOf("xl/workbook.xml", zeros, 0), "no_table"],
  ["more rows than fit", utf8("Name\n1\n2\n3\n4\n"), "large"],
])("%s is refused with the reason %s", async (_, bytes, reason) => {
  expect(await reasonOf(bytes)).toBe(reason);
});

test("a single cell far outside the table of a workbook is ignored", async () => {
  const rows = [["Name", "Price"], ...Array.from({ length: 9 }, () => ["a", 1])];
  const workbook = await writeXlsx({ sheets: [{ name: "Sheet", rows }] });
  expect(await reasonOf(workbook)).toBe("large");
  const cells = new Map([["1048575,16383", { value: "far" }]]);
  const sparse = await writeXlsx({ sheets: [{ name: "a", rows: [["Name"]], cells }] });
  expect(await read(sparse)).toEqual([["Name"]]);
});

import "server-only";
import { readXlsx, writeXlsxStream } from "hucre/xlsx";
import { isSignedDecimal } from "#lib/format/decimal.ts";

export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

export type SheetCell = string | number | Date | null;

export interface Sheet {
  name: string;
  headings: { text: string; isMoment: boolean }[];
  rows: AsyncIterable<SheetCell[]>;
  /** The most rows of one sheet, heading included; further rows go to another sheet. */
  mostRows?: number;
}

/** The most digits of a number that a spreadsheet stores. */
const MOST_DIGITS = 15;
export const MAX_CELL_TEXT = 32_767;
const MOMENT = "yyyy-mm-dd hh:mm:ss";

/**
 * A workbook that is written while its rows are read. Strings are inline, because a shared table would
 * stay in memory. Stops at a sheet of more than 4 GB uncompressed (4,000 characters in each row), which
 * Excel would not open.
 */
export function xlsxStream({
  name,
  headings,
  rows,
  mostRows,
}: Sheet): ReadableStream<Uint8Array> {
  return writeXlsxStream(cleaned(rows), {
    name,
    columns: headings.map(({ text, isMoment }) => ({
      header: cleanText(text),
      width: isMoment ? 20 : Math.max(12, Math.min(40, text.length + 4)),
      ...(isMoment && { numFmt: MOMENT }),
    })),
    freezePane: { rows: 1 },
    ...(mostRows !== undefined && { maxRowsPerSheet: mostRows }),
  });
}

async function* cleaned(rows: Sheet["rows"]): AsyncGenerator<SheetCell[]> {
  for await (const row of rows)
    yield row.map((cell) => (typeof cell === "string" ? cleanText(cell) : cell));
}

/** Shortens a text to fit, removes what XML cannot hold, escapes what looks like an escape of XLSX. */
function cleanText(text: string): string {
  return text
    .slice(0, MAX_CELL_TEXT)
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, "")
    .replace(/_(?=x[\da-f]{4}_)/gi, "_x005F_");
}

/** A decimal text as a number if that is exact, else as text. */
export function sheetNumber(text: string): number | string {
  const digits = text.replace(/\D/g, "").replace(/^0+/, "");
  return isSignedDecimal(text) && digits.length <= MOST_DIGITS ? Number(text) : text;
}

export const isWorkbook = (bytes: Uint8Array): boolean =>
  FILE_SIGNATURE.every((byte, at) => bytes[at] === byte);

const FILE_SIGNATURE = [0x50, 0x4b, 0x03, 0x04];
/** A workbook is unpacked in memory, and a small one can claim gigabytes. */
const MOST_UNPACKED = 32 * 1024 * 1024;
const LAST_COLUMN = "CV";

/**
 * The rows of a workbook's first sheet, also empty ones, up to column CV; null for a formula.
 * @throws Error for a file that is no workbook, is damaged, or unpacks to more than 32 MB
 */
export async function readXlsxRows(
  bytes: Uint8Array,
  mostRows: number,
): Promise<(string | null)[][]> {
  if (unpackedSize(bytes) > MOST_UNPACKED) throw new Error("the workbook is too large");
  const range = `A1:${LAST_COLUMN}${mostRows}`;
  const { sheets } = await readXlsx(bytes, { sheets: [0], range });
  const [sheet] = sheets;
  if (!sheet) throw new Error("the workbook has no sheet");
  const formulas = new Set<string>();
  for (const [place, { formula }] of sheet.cells ?? [])
    if (formula !== undefined) formulas.add(place);
  return sheet.rows.map((row, at) =>
    row.map((cell, column) => (formulas.has(`${at},${column}`) ? null : readCell(cell))),
  );
}

function readCell(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  if (typeof cell === "string") return cell;
  return typeof cell === "number" || typeof cell === "boolean" ? String(cell) : "";
}

/**
 * The bytes that the parts of a ZIP say they unpack to, which `hucre` takes as their limit. Counts
 * every place that looks like a part, so that no directory can hide one.
 */
function unpackedSize(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let total = 0;
  let at = file.indexOf(DIRECTORY_SIGNATURE);
  while (at !== -1 && at + 46 <= file.length) {
    const isSizedElsewhere = (file.readUInt16LE(at + 8) & 8) !== 0;
    const packed = file.readUInt32LE(at + 20);
    const unpacked = file.readUInt32LE(at + 24);
    const isKnown = packed === 0 ? !isSizedElsewhere : unpacked > 0 || packed <= 2;
    total += isKnown ? unpacked : Infinity;
    at = file.indexOf(DIRECTORY_SIGNATURE, at + 4);
  }
  return total;
}

const DIRECTORY_SIGNATURE = Buffer.from("PK\x01\x02");

import "server-only";
import { parseCsv } from "hucre/csv";
import { isWorkbook, MAX_CELL_TEXT, readXlsxRows } from "./xlsx.ts";

/** A cell's text; null for a formula, whose result is not known. */
export type TableCell = string | null;

interface TableText {
  /** Every row of the file in order, also empty ones; the first one is row 1. */
  rows: TableCell[][];
  /** Whether the file is neither a workbook nor UTF-8, and was read as Windows-1252. */
  isGuessed: boolean;
}

/** The bytes are no readable table: empty, an old or encrypted workbook, another file, or too large. */
export class NoTableError extends Error {
  readonly reason: "empty" | "old_workbook" | "no_table" | "large";

  constructor(reason: NoTableError["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

const DELIMITERS = [",", ";", "\t", "|"];

interface Limits {
  /** The most rows, headings included; more are an error. */
  mostRows: number;
  /** Rates a row of headings; decides which separator a text file uses. */
  fit: (headings: TableCell[]) => number;
  /** How many rows at the start may be the headings; 1 by default. */
  headingRows?: number;
}

/**
 * Reads an XLSX workbook's first sheet, or a text whose cells are separated by commas, semicolons,
 * tabs or bars. A text is UTF-8, UTF-16 with its byte order mark, or Windows-1252.
 * @throws NoTableError
 */
export async function readTable(
  bytes: Uint8Array,
  { mostRows, fit, headingRows = 1 }: Limits,
): Promise<TableText> {
  if (isWorkbook(bytes)) {
    const rows = await readXlsxRows(bytes, mostRows + 1).catch(() => null);
    if (!rows) throw new NoTableError("no_table");
    return checked({ rows, isGuessed: false }, mostRows);
  }
  if (OLD_WORKBOOK.every((byte, at) => bytes[at] === byte))
    throw new NoTableError("old_workbook");
  const { text, isGuessed } = decode(bytes);
  if (NOT_IN_TEXT.test(text)) throw new NoTableError("no_table");
  const fits = DELIMITERS.map((delimiter) => {
    const first = parseCsv(text, { delimiter, maxRows: headingRows });
    return { delimiter, fit: Math.max(0, ...first.map((row) => fit(row.map(textCell)))) };
  });
  const { delimiter } = fits.reduce((best, one) => (one.fit > best.fit ? one : best));
  const rows = parseCsv(text, { delimiter, maxRows: mostRows + 1 }).map((row) =>
    row.map(textCell),
  );
  return checked({ rows, isGuessed }, mostRows);
}

/** The first bytes of old workbooks, and of workbooks with a password. */
const OLD_WORKBOOK = [0xd0, 0xcf, 0x11, 0xe0];
const NOT_IN_TEXT = /[^\P{Cc}\t\n\r\v]/u;

function checked(table: TableText, mostRows: number): TableText {
  if (!table.rows.some((row) => row.some((cell) => cell === null || cell.trim() !== "")))
    throw new NoTableError("empty");
  if (table.rows.length > mostRows) throw new NoTableError("large");
  return table;
}

/** A cell of a text file; null if it begins with an equals sign, without an apostrophe before it. */
function textCell(cell: unknown): TableCell {
  const text = typeof cell === "string" ? cell.slice(0, MAX_CELL_TEXT) : "";
  return /^\s*[=＝]/.test(text) ? null : text;
}

function decode(bytes: Uint8Array): { text: string; isGuessed: boolean } {
  for (const encoding of encodingsOf(bytes)) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      return { text, isGuessed: false };
    } catch {
      // The bytes are read as Windows-1252 below.
    }
  }
  return { text: new TextDecoder("windows-1252").decode(bytes), isGuessed: true };
}

function encodingsOf([first, second]: Uint8Array): string[] {
  if (first === 0xff && second === 0xfe) return ["utf-16le"];
  if (first === 0xfe && second === 0xff) return ["utf-16be"];
  return ["utf-8"];
}

import "server-only";
import { writeXlsxStream } from "hucre/xlsx";
import { isDecimal } from "#lib/format/decimal.ts";

export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Text, a number, or a date. */
export type SheetCell = string | number | Date | null;

export interface Sheet {
  name: string;
  headings: { text: string; isMoment: boolean }[];
  rows: AsyncIterable<SheetCell[]>;
  /** Rows of one sheet with its heading; further rows go to another sheet. */
  mostRows?: number;
}

/** The most digits of a number that a spreadsheet stores. */
const MOST_DIGITS = 15;
const LONGEST_TEXT = 32_767;
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

/** Removes characters that XML cannot hold and escapes what looks like its escape. */
function cleanText(text: string): string {
  return text
    .slice(0, LONGEST_TEXT)
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, "")
    .replace(/_(?=x[\da-f]{4}_)/gi, "_x005F_");
}

/** A decimal text as a number if that is exact, else as text. */
export function sheetNumber(text: string): number | string {
  const digits = text.replace(/\D/g, "").replace(/^0+/, "");
  return isDecimal(text) && digits.length <= MOST_DIGITS ? Number(text) : text;
}

import "server-only";
import { writeXlsxStream } from "hucre/xlsx";
import { isDecimal } from "#lib/format/decimal.ts";

export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Text, a number that a spreadsheet counts with, or a moment that it sorts by. */
export type SheetCell = string | number | Date | null;

export interface Sheet {
  name: string;
  headings: { text: string; isMoment: boolean }[];
  rows: AsyncIterable<SheetCell[]>;
  /** Of one sheet, its heading among them; what is more goes on in another. */
  mostRows?: number;
}

/** A spreadsheet holds no more digits of a number than these, and no more characters of a text. */
const MOST_DIGITS = 15;
const LONGEST_TEXT = 32_767;
const MOMENT = "yyyy-mm-dd hh:mm:ss";

/**
 * A workbook, written while its rows are read and the browser takes it. A text stays a text whatever
 * it begins with, because a formula is another kind of cell. Strings are not gathered in a table of
 * their own: that would have to be kept until the end. A sheet of more than 4 GB before it is packed,
 * which takes 4,000 characters in each row, breaks off: Excel does not open what could hold it.
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

/** Without what XML cannot hold, and with what reads like its escape escaped. */
function cleanText(text: string): string {
  return text
    .slice(0, LONGEST_TEXT)
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, "")
    .replace(/_(?=x[\da-f]{4}_)/gi, "_x005F_");
}

/** A decimal text as a number where none of it gets lost, else as it stands. */
export function sheetNumber(text: string): number | string {
  const digits = text.replace(/\D/g, "").replace(/^0+/, "");
  return isDecimal(text) && digits.length <= MOST_DIGITS ? Number(text) : text;
}

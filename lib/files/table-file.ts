import "server-only";
import { isSignedDecimal } from "#lib/format/decimal.ts";
import { zoneConverter } from "#lib/format/zoned-moment.ts";
import type { ExportFormat } from "#lib/list-answer.ts";
import { type SheetCell, sheetNumber, XLSX_TYPE, xlsxStream } from "./xlsx.ts";

export interface TableColumn<Row> {
  heading: string;
  /** The heading of a moment in a workbook, which cannot store a time zone. */
  sheetHeading?: string;
  /** A moment is an ISO text, written in `time_zone`; a number is a decimal text. Text by default. */
  kind?: "text" | "number" | "moment";
  read: (row: Row) => string | null;
}

interface Table<Row> {
  columns: readonly TableColumn<Row>[];
  /** Batches of rows; the next one is read only when the browser has taken the one before. */
  rows: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
  format: ExportFormat;
  /** The name of the sheet in a workbook. */
  name?: string;
  time_zone?: string;
}

/** A table as CSV or XLSX, written while its rows are read. Formulas become plain text. */
export function tableFile<Row>({
  columns,
  rows,
  format,
  name = "",
  time_zone = "UTC",
}: Table<Row>): ReadableStream<Uint8Array> {
  const clock = zoneConverter(time_zone);
  if (format === "csv") {
    const cell = ({ kind, read }: TableColumn<Row>, row: Row) => {
      const text = read(row) ?? "";
      // A number below zero begins like a formula.
      if (kind === "number" && isSignedDecimal(text)) return text;
      const moment = kind === "moment" ? clock(text) : null;
      return quote(moment ? moment.local + moment.offset : text);
    };
    async function* lines() {
      yield BYTE_ORDER_MARK + csvLine(columns.map(({ heading }) => heading));
      for await (const batch of rows)
        yield batch.map((row) => lineOf(columns.map((column) => cell(column, row)))).join("");
    }
    return csvStream(lines());
  }
  const cell = ({ kind, read }: TableColumn<Row>, row: Row): SheetCell => {
    const text = read(row);
    if (text === null) return null;
    const moment = kind === "moment" ? clock(text) : null;
    if (moment) return new Date(`${moment.local}Z`);
    return kind === "number" ? sheetNumber(text) : text;
  };
  async function* sheetRows() {
    for await (const batch of rows)
      for (const row of batch) yield columns.map((column) => cell(column, row));
  }
  return xlsxStream({
    name,
    headings: columns.map(({ heading, sheetHeading = heading, kind }) => ({
      text: sheetHeading,
      isMoment: kind === "moment",
    })),
    rows: sheetRows(),
  });
}

/** A CSV file of rows of cells. */
export const csvFile = (
  headings: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): ReadableStream<Uint8Array> =>
  tableFile({
    columns: headings.map((heading, at) => ({
      heading,
      read: (cells: readonly (string | null)[]) => cells[at] ?? null,
    })),
    rows: [rows],
    format: "csv",
  });

/** A download with this name that no cache stores. */
export function fileResponse(
  filename: string,
  type: string,
  body: string | ReadableStream,
): Response {
  return new Response(body, {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${filename}"`,
      "cache-control": "no-store",
    },
  });
}

/** The byte order mark, by which spreadsheets recognise UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Makes one CSV line; cells that a spreadsheet would read as formulas become plain text. */
export function csvLine(cells: readonly (string | null)[]): string {
  return lineOf(cells.map((cell) => quote(cell ?? "")));
}

const lineOf = (quoted: readonly string[]) => `${quoted.join(",")}\r\n`;

const CSV_TYPE = "text/csv; charset=utf-8";

/** @param body begins with the byte order mark */
export const csvResponse = (filename: string, body: string | ReadableStream): Response =>
  fileResponse(filename, CSV_TYPE, body);

/** A download of a table; its name gets the format's ending. */
export const tableResponse = (
  name: string,
  format: ExportFormat,
  body: ReadableStream,
): Response => fileResponse(`${name}.${format}`, format === "csv" ? CSV_TYPE : XLSX_TYPE, body);

/** Reads lines only as fast as the browser takes them. */
export function csvStream(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => void (await lines.return(undefined)),
  });
}

function quote(cell: string): string {
  const harmless = withoutFormulas(cell);
  return /[",\r\n']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The text with an apostrophe before a formula. */
export function withoutFormulas(cell: string): string {
  const isFormula = /^\s*[=+\-@＝＋－＠\t\r]/.test(cell);
  // A spreadsheet may separate cells by semicolons or tabs.
  const inner = cell.replace(/(?<=[;\t\r\n][\s";]*)[=+\-@＝＋－＠]/g, "'$&");
  return isFormula ? `'${inner}` : inner;
}

/** Takes away the apostrophes that `withoutFormulas` adds, also those that the text had before. */
export const withFormulas = (cell: string): string =>
  cell
    .replace(/^'(?=\s*[=+\-@＝＋－＠\t\r])/, "")
    .replace(/(?<=[;\t\r\n][\s";]*)'(?=[=+\-@＝＋－＠])/g, "");

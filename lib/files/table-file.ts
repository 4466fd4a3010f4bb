import "server-only";
import { zoneClock } from "#lib/format/zoned-moment.ts";
import { BYTE_ORDER_MARK, csvLine, csvStream } from "./csv.ts";
import { sheetNumber, xlsxStream, type SheetCell } from "./xlsx.ts";

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
  /** Batches of rows; read on only while the browser takes the file. */
  rows: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
  format: "csv" | "xlsx";
  /** The name of the sheet in a workbook. */
  name?: string;
  time_zone?: string;
}

/** A table as CSV or as an XLSX workbook, written while its rows are read. Formulas stay plain text. */
export function tableFile<Row>({
  columns,
  rows,
  format,
  name = "",
  time_zone = "UTC",
}: Table<Row>): ReadableStream<Uint8Array> {
  const clock = zoneClock(time_zone);
  if (format === "csv") {
    const cell = ({ kind, read }: TableColumn<Row>, row: Row) => {
      const text = read(row);
      const moment = kind === "moment" && text !== null ? clock(text) : null;
      return moment ? moment.local + moment.offset : text;
    };
    async function* lines() {
      yield BYTE_ORDER_MARK + csvLine(columns.map(({ heading }) => heading));
      for await (const batch of rows)
        yield batch.map((row) => csvLine(columns.map((column) => cell(column, row)))).join("");
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

/** A CSV file of rows that are cells already, one for each heading. */
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

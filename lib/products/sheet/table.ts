import "server-only";
import { readTable, type TableCell } from "#lib/files/read-table.ts";
import {
  columnOf,
  MOST_SHEET_ROWS,
  REQUIRED_COLUMNS,
  SHEET_COLUMNS,
  type SheetColumn,
  type SheetLanguages,
} from "./columns.ts";
import type { GivenRow } from "./row-values.ts";

export interface SheetTable {
  rows: GivenRow[];
  ignored: string[];
  missing: SheetColumn[];
  isGuessed: boolean;
}

/** A file without a required column of the catalogue, or with one of its columns twice. */
export class WrongColumnsError extends Error {
  readonly reason: "missing" | "twice";
  readonly columns: readonly SheetColumn[];

  constructor(reason: WrongColumnsError["reason"], columns: readonly SheetColumn[]) {
    super(reason);
    this.reason = reason;
    this.columns = columns;
  }
}

/**
 * Reads a spreadsheet of the catalogue; the headings may be in any language and order.
 * @throws NoTableError, WrongColumnsError
 */
export async function readSheet(
  bytes: Uint8Array,
  languages: SheetLanguages,
): Promise<SheetTable> {
  const columnsOf = (headings: TableCell[]) =>
    headings.map((heading) => columnOf(languages, heading?.replace(/^'/, "") ?? ""));
  const { rows, isGuessed } = await readTable(bytes, {
    mostRows: MOST_SHEET_ROWS,
    fit: (headings) => columnsOf(headings).filter((column) => column !== null).length,
  });
  const [headings = [], ...others] = rows;
  const columns = columnsOf(headings);
  const twice = columns.filter((column, at) => column && columns.indexOf(column) !== at);
  const missing = SHEET_COLUMNS.filter((column) => !columns.includes(column));
  const needed = REQUIRED_COLUMNS.filter((column) => missing.includes(column));
  if (needed.length > 0) throw new WrongColumnsError("missing", needed);
  if (twice.length > 0)
    throw new WrongColumnsError(
      "twice",
      twice.flatMap((column) => column ?? []),
    );
  return {
    rows: others
      .map((cells, at) => givenRow(columns, cells, at + 2))
      .filter(({ cells, formulas }) => Object.keys(cells).length + formulas.length > 0),
    ignored: headings.flatMap((heading, at) =>
      heading?.trim() && !columns[at] ? [heading.trim().slice(0, 100)] : [],
    ),
    missing,
    isGuessed,
  };
}

function givenRow(
  columns: readonly (SheetColumn | null)[],
  cells: TableCell[],
  at: number,
): GivenRow {
  const row: GivenRow = { at, cells: {}, formulas: [] };
  for (const [place, column] of columns.entries()) {
    const cell = cells[place];
    if (!column || cell === undefined) continue;
    if (cell === null) row.formulas.push(column);
    else if (cell.trim() !== "") row.cells[column] = cell.trim();
  }
  return row;
}

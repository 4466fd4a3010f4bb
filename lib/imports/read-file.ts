import "server-only";
import { NoTableError, readTable, type TableCell } from "#lib/files/read-table.ts";
import { storableText } from "#lib/text/fold-text.ts";
import {
  areHeadings,
  headingFit,
  matchCells,
  matchHeadings,
  type KnownHeadings,
} from "./headings.ts";
import { MAX_IMPORT_COLUMNS, MAX_IMPORT_ROWS, type ReadTable } from "./rules.ts";

/** How many rows at the start are searched for headings, which may have a title above them. */
const HEADING_ROWS = 10;
/** How many rows show what the columns of a file without headings are. */
const SAMPLE_ROWS = 50;

/**
 * Reads a table of buyers: finds its headings, if it has any, and what its columns are.
 * @throws NoTableError, also `large` for too many columns
 */
export async function readImport(bytes: Uint8Array, known: KnownHeadings): Promise<ReadTable> {
  const fit = (row: TableCell[]) => headingFit(row, known);
  const table = await readTable(bytes, {
    mostRows: MAX_IMPORT_ROWS + HEADING_ROWS,
    fit,
    headingRows: HEADING_ROWS,
  });
  const filled = table.rows
    .map((cells, at) => ({ position: at + 1, cells: trimmed(cells) }))
    .filter(({ cells }) => cells.length > 0);
  const first = filled.slice(0, HEADING_ROWS);
  const best = first.reduce(
    (so, row, at) => (fit(row.cells) > fit(first[so]?.cells ?? []) ? at : so),
    0,
  );
  const headings = first[best]?.cells ?? [];
  const hasHeadings = areHeadings(headings, known);
  const rows = hasHeadings ? filled.slice(best + 1) : filled;
  const width = Math.max(headings.length, ...rows.map(({ cells }) => cells.length));
  if (rows.length === 0) throw new NoTableError("empty");
  if (rows.length > MAX_IMPORT_ROWS || width > MAX_IMPORT_COLUMNS)
    throw new NoTableError("large");
  const padded = Array.from({ length: width }, (_, at) => headings[at] ?? "");
  return {
    headings: hasHeadings ? padded : null,
    columns: hasHeadings
      ? matchHeadings(padded, known)
      : matchCells(rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells)),
    rows,
    isGuessed: table.isGuessed,
  };
}

/** The row without the empty cells at its end, and without characters that cannot be stored. */
function trimmed(cells: readonly TableCell[]): TableCell[] {
  const last = cells.findLastIndex((cell) => cell === null || cell.trim() !== "");
  return cells.slice(0, last + 1).map((cell) => cell && storableText(cell));
}

"use client";

import {
  constructTable,
  FlexRender,
  metaHelper,
  tableFeatures,
  type ColumnDef,
  type CoreFeatures,
  type Row,
  type RowData,
} from "@tanstack/react-table";
import { type ComponentType, memo, type ReactNode, useState } from "react";
import { cn } from "#lib/cn.ts";
import { SelectionCell, SelectionHead, type RowSelection } from "./row-selection.tsx";
import { UrlLink } from "./links.tsx";

type SortDirection = "ascending" | "descending" | "none";

interface ColumnMeta {
  /** The sort order of the column; undefined if the list cannot be sorted by it. */
  sort?: SortDirection;
}

const NO_CHANGES = { subscribe: () => ({ unsubscribe: () => {} }) };

/**
 * Our tables keep no state, so nothing subscribes to it. `useTable` would bring TanStack Store to every list.
 */
const coreReactivityFeature: CoreFeatures["coreReactivityFeature"] = {
  createOptionsStore: false,
  wrapExternalAtoms: false,
  addSubscription: () => {},
  createWritableAtom: (value) => ({ ...NO_CHANGES, get: () => value, set: () => {} }),
  createReadonlyAtom: (read) => ({ ...NO_CHANGES, get: read }),
  untrack: (run) => run(),
  batch: (run) => run(),
  schedule: (run) => queueMicrotask(run),
};

const tableShape = tableFeatures({
  coreReactivityFeature,
  columnMeta: metaHelper<ColumnMeta>(),
});
export type TableShape = typeof tableShape;

interface DataTableProps<Item extends RowData> {
  label: string;
  /** The class in rows.css that places the columns. */
  className: string;
  columns: ColumnDef<TableShape, Item>[];
  /** The rows; undefined while loading, when skeleton rows are shown. */
  rows: Item[] | undefined;
  rowId: (row: Item) => string;
  /** Whether the rows are still those of the previous view. */
  isBusy?: boolean;
  /** Number of skeleton rows. */
  expectedRows: number;
  /** The selection; undefined if rows cannot be selected. */
  selection?: RowSelection<Item> | undefined;
}

const NO_ROWS: never[] = [];

/**
 * Rows of 44 px on wide screens, cards on phones, from the same elements (`rows.css`). They have explicit
 * roles, because browsers drop the native ones when CSS turns a table into a grid.
 */
export function DataTable<Item extends RowData>(props: DataTableProps<Item>) {
  const { label, className, columns, rows, rowId, isBusy = false, expectedRows } = props;
  const { selection } = props;
  const options = { columns, data: rows ?? NO_ROWS, getRowId: rowId };
  const [table] = useState(() =>
    constructTable<TableShape, Item>({ ...options, features: tableShape }),
  );
  table.setOptions((before) => ({ ...before, ...options }));
  return (
    <div className="overflow-hidden rounded-md border bg-surface shadow-card">
      <table
        role="table"
        aria-label={label}
        aria-busy={isBusy || rows === undefined}
        className={cn("rows", className)}
        data-selectable={selection ? "" : undefined}
      >
        <thead role="rowgroup">
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} role="row">
              {selection && <SelectionHead selection={selection} />}
              {group.headers.map((header) => (
                <th
                  key={header.id}
                  role="columnheader"
                  scope="col"
                  aria-sort={header.column.columnDef.meta?.sort}
                  data-col={header.column.id}
                >
                  <FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody role="rowgroup" data-stale={isBusy ? "" : undefined}>
          {rows === undefined
            ? Array.from({ length: expectedRows }, (_, index) => (
                <tr key={index} role="row">
                  {selection && <SelectionCell selection={selection} />}
                  {columns.map(({ id }, at) => (
                    <td key={id ?? at} role="cell" data-col={id}>
                      <span className="skeleton" />
                    </td>
                  ))}
                </tr>
              ))
            : table.getRowModel().rows.map((row) => (
                <tr
                  key={row.id}
                  role="row"
                  data-row={row.id}
                  data-selected={selection?.has(row.original) ? "" : undefined}
                >
                  {selection && <SelectionCell selection={selection} row={row.original} />}
                  <Cells {...{ row, columns }} />
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellsProps<Item extends RowData> {
  row: Row<TableShape, Item>;
  /** Not read by the component; a prop, so that changed columns render the cells again. */
  columns: ColumnDef<TableShape, Item>[];
}

/**
 * The cells of a row. Memoised, so that selecting the row renders only its checkbox, and another sort
 * order only the headers.
 */
const Cells = memo(function Cells<Item extends RowData>({ row }: CellsProps<Item>) {
  return row.getAllCells().map((cell) => (
    <td key={cell.id} role="cell" data-col={cell.column.id}>
      <FlexRender cell={cell} />
    </td>
  ));
}, hasSameCells) as <Item extends RowData>(props: CellsProps<Item>) => ReactNode;

function hasSameCells<Item extends RowData>(
  before: CellsProps<Item>,
  now: CellsProps<Item>,
): boolean {
  return (
    before.row === now.row &&
    before.columns.length === now.columns.length &&
    before.columns.every((column, at) => {
      const other = now.columns[at];
      return column.id === other?.id && column.cell === other?.cell;
    })
  );
}

/** Columns in the order of their cells; `Head` renders their headings. */
export const columnsOf = <Item extends RowData, Name extends string>(
  Head: ComponentType<{ of: Name }>,
  cells: Record<Name, (item: Item) => ReactNode>,
): ColumnDef<TableShape, Item>[] =>
  Object.entries<(item: Item) => ReactNode>(cells).map(([id, cell]) => ({
    id,
    header: () => <Head of={id as Name} />,
    cell: ({ row }) => cell(row.original),
  }));

interface SortHeadProps {
  href: string;
  children: ReactNode;
}

/** The header of a sortable column; its cell has the direction in `aria-sort`. */
export function SortHead({ href, children }: SortHeadProps) {
  return (
    <>
      {/* On phones this text replaces the link, so that no hidden header can get the focus. */}
      <span>{children}</span>
      <UrlLink href={href}>
        <span>{children}</span>
      </UrlLink>
    </>
  );
}

"use client";

import {
  FlexRender,
  metaHelper,
  tableFeatures,
  useTable,
  type ColumnDef,
  type Row,
  type RowData,
} from "@tanstack/react-table";
import { memo, type ReactNode } from "react";
import { ArrowDown, ArrowUp } from "#components/ui/icons.tsx";
import { cn } from "#lib/cn.ts";
import { SelectionCell, SelectionHead, type RowSelection } from "./row-selection.tsx";
import { UrlLink } from "./links.tsx";

type SortDirection = "ascending" | "descending" | "none";

interface ColumnMeta {
  /** Classes for the width on wide screens and the position in the card on phones. */
  className?: string;
  /** The sort order of the column; undefined if the list cannot be sorted by it. */
  sort?: SortDirection;
}

const tableShape = tableFeatures({ columnMeta: metaHelper<ColumnMeta>() });
export type TableShape = typeof tableShape;

interface DataTableProps<Item extends RowData> {
  label: string;
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
 * Rows of 44 px on wide screens, cards on phones, from the same elements. They have explicit roles,
 * because browsers drop the native ones when CSS turns a table into a grid.
 */
export function DataTable<Item extends RowData>(props: DataTableProps<Item>) {
  const { label, columns, rows, rowId, isBusy = false, expectedRows, selection } = props;
  const table = useTable({
    features: tableShape,
    columns,
    data: rows ?? NO_ROWS,
    getRowId: rowId,
  });
  return (
    <div className="overflow-hidden rounded-md border bg-surface shadow-card">
      <table
        role="table"
        aria-label={label}
        aria-busy={isBusy || rows === undefined}
        className="w-full max-md:block md:table-fixed"
      >
        <thead role="rowgroup" className="max-md:sr-only">
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} role="row" className="border-b bg-canvas">
              {selection && <SelectionHead selection={selection} />}
              {group.headers.map((header) => (
                <th
                  key={header.id}
                  role="columnheader"
                  scope="col"
                  aria-sort={header.column.columnDef.meta?.sort}
                  className={cn(
                    "h-9 px-2 text-left text-xs font-medium text-muted lg:px-3",
                    header.column.columnDef.meta?.className,
                  )}
                >
                  <FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody
          role="rowgroup"
          className={cn("divide-y transition-opacity max-md:block", isBusy && "opacity-55")}
        >
          {rows === undefined
            ? Array.from({ length: expectedRows }, (_, index) => (
                <BodyRow key={index} isSelectable={Boolean(selection)}>
                  {selection && <SelectionCell selection={selection} />}
                  {columns.map((column, at) => (
                    <BodyCell key={column.id ?? at} meta={column.meta}>
                      <span className="skeleton h-3 w-3/5" />
                    </BodyCell>
                  ))}
                </BodyRow>
              ))
            : table.getRowModel().rows.map((row) => (
                <BodyRow
                  key={row.id}
                  id={row.id}
                  isSelectable={Boolean(selection)}
                  isSelected={selection?.has(row.original)}
                >
                  {selection && <SelectionCell selection={selection} row={row.original} />}
                  <Cells {...{ row, columns }} />
                </BodyRow>
              ))}
        </tbody>
      </table>
    </div>
  );
}

interface BodyRowProps {
  /** The row's id; undefined for a skeleton row. */
  id?: string;
  isSelectable: boolean;
  isSelected?: boolean | undefined;
  children: ReactNode;
}

function BodyRow({ id, isSelectable, isSelected, children }: BodyRowProps) {
  return (
    <tr
      role="row"
      data-row={id}
      className={cn(
        // Cards outside the screen are laid out when scrolled to; until then they have an average height.
        "max-md:[contain-intrinsic-block-size:auto_8.0625rem] max-md:[content-visibility:auto]",
        "relative transition-colors max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-3 max-md:gap-y-1 max-md:px-4 max-md:py-3 md:h-11",
        isSelectable && "max-md:pl-12",
        isSelected
          ? "bg-accent-soft forced-colors:outline-2 forced-colors:-outline-offset-2 forced-colors:outline-[Highlight]"
          : "hover:bg-canvas",
      )}
    >
      {children}
    </tr>
  );
}

interface CellsProps<Item extends RowData> {
  row: Row<TableShape, Item>;
  /**
   * The columns. The component does not read them, but new columns must render the memoised cells
   * again.
   */
  columns: ColumnDef<TableShape, Item>[];
}

/** The cells of a row. Memoised, so that selecting the row renders only its checkbox. */
const Cells = memo(function Cells<Item extends RowData>({ row }: CellsProps<Item>) {
  return row.getAllCells().map((cell) => (
    <BodyCell key={cell.id} meta={cell.column.columnDef.meta}>
      <FlexRender cell={cell} />
    </BodyCell>
  ));
}) as <Item extends RowData>(props: CellsProps<Item>) => ReactNode;

function BodyCell({ meta, children }: { meta: ColumnMeta | undefined; children: ReactNode }) {
  return (
    <td
      role="cell"
      className={cn("min-w-0 md:px-2 md:max-lg:text-sm lg:px-3", meta?.className)}
    >
      {children}
    </td>
  );
}

interface SortHeadProps {
  href: string;
  direction: SortDirection;
  children: ReactNode;
}

/** The header of a sortable column; its cell has the direction in `aria-sort`. */
export function SortHead({ href, direction, children }: SortHeadProps) {
  const Arrow = direction === "descending" ? ArrowDown : ArrowUp;
  return (
    <>
      {/* Hidden on phones, whose cards have no headers, so that the links cannot take the focus. */}
      <span className="md:hidden">{children}</span>
      <UrlLink
        href={href}
        className="group relative inline-flex min-h-6 max-w-full items-center gap-1 rounded hover:text-ink max-md:hidden"
      >
        <span className="truncate">{children}</span>
        <Arrow
          aria-hidden
          className={cn(
            // In right-aligned columns the arrow is on the left, because the next header begins at
            // the right.
            "absolute left-full mx-0.5 size-3 in-[.text-right]:right-full in-[.text-right]:left-auto",
            direction === "none"
              ? "opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60"
              : "text-accent",
          )}
        />
      </UrlLink>
    </>
  );
}

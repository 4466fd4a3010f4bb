"use client";

import {
  metaHelper,
  tableFeatures,
  useTable,
  type ColumnDef,
  type RowData,
} from "@tanstack/react-table";
import type { ReactNode } from "react";
import { cn } from "#lib/cn.ts";

interface ColumnMeta {
  /** Width on wide screens; place in the card on phones. */
  className?: string;
  alignRight?: boolean;
}

export const tableShape = tableFeatures({ columnMeta: metaHelper<ColumnMeta>() });
export type TableShape = typeof tableShape;

interface DataTableProps<Row extends RowData> {
  label: string;
  columns: ColumnDef<TableShape, Row>[];
  /** Undefined while there is nothing to show yet: rows of the same size stand in. */
  rows: Row[] | undefined;
  rowId: (row: Row) => string;
  /** What is shown is still the view before. */
  isBusy?: boolean;
  /** How many stand-ins. */
  expectedRows: number;
}

const NO_ROWS: never[] = [];

/**
 * Rows of 44 px on wide screens, cards on phones, out of the same elements. The roles are spelled
 * out because a browser forgets them when CSS turns a table into a grid.
 */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, isBusy = false, expectedRows } = props;
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
              {group.headers.map((header) => (
                <th
                  key={header.id}
                  role="columnheader"
                  scope="col"
                  className={cellClass(
                    header.column.columnDef.meta,
                    "h-9 px-2 text-left text-xs font-medium text-muted lg:px-3",
                  )}
                >
                  <table.FlexRender header={header} />
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
                <BodyRow key={index}>
                  {columns.map((column, at) => (
                    <BodyCell key={column.id ?? at} meta={column.meta}>
                      <span className="skeleton h-3 w-3/5" />
                    </BodyCell>
                  ))}
                </BodyRow>
              ))
            : table.getRowModel().rows.map((row) => (
                <BodyRow key={row.id}>
                  {row.getAllCells().map((cell) => (
                    <BodyCell key={cell.id} meta={cell.column.columnDef.meta}>
                      <table.FlexRender cell={cell} />
                    </BodyCell>
                  ))}
                </BodyRow>
              ))}
        </tbody>
      </table>
    </div>
  );
}

function BodyRow({ children }: { children: ReactNode }) {
  return (
    <tr
      role="row"
      className="relative transition-colors hover:bg-canvas max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-3 max-md:gap-y-1 max-md:px-4 max-md:py-3 md:h-11"
    >
      {children}
    </tr>
  );
}

function BodyCell({ meta, children }: { meta: ColumnMeta | undefined; children: ReactNode }) {
  return (
    <td role="cell" className={cellClass(meta, "min-w-0 md:px-2 md:max-lg:text-sm lg:px-3")}>
      {children}
    </td>
  );
}

function cellClass(meta: ColumnMeta | undefined, className: string): string {
  return cn(className, meta?.className, meta?.alignRight && "text-right");
}

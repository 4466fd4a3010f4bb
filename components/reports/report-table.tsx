import { useState, type ReactNode } from "react";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { ScrollArea } from "#components/ui/scroll-area.tsx";
import { cn } from "#lib/cn.ts";

/** The first cell names the row; the others are numbers. */
export interface Table {
  label: string;
  heads: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

interface FoldedTableProps {
  title: string;
  table: Table;
}

/** Rows are rendered when opened: a year has 365. */
export function FoldedTable({ title, table }: FoldedTableProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Disclosure title={title} onToggle={setOpen} className="text-muted max-md:min-h-11">
      {isOpen && (
        <ScrollArea label={table.label} className="mb-2 max-h-72 overflow-x-auto">
          <ReportTable table={table} />
        </ScrollArea>
      )}
    </Disclosure>
  );
}

interface ScrolledTableProps {
  table: Table;
  /** Shown instead of an empty table. */
  none?: string;
}

/** A table that scrolls within the screen. */
export function ScrolledTable({ table, none }: ScrolledTableProps) {
  if (table.rows.length === 0) return <p className="text-muted">{none}</p>;
  return (
    <ScrollArea label={table.label} className="max-h-112 overflow-x-auto">
      <ReportTable table={table} />
    </ScrollArea>
  );
}

export function ReportTable({ table: { label, heads, rows } }: { table: Table }) {
  return (
    <table className="w-full text-sm tabular-nums">
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr className="border-b bg-canvas">
          {heads.map((head, at) => (
            <th
              key={head}
              scope="col"
              className={cn(
                "px-3 py-2 text-xs font-medium whitespace-nowrap text-muted max-sm:px-2",
                at === 0 ? "text-left" : "text-right",
              )}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y">
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {cells.map((cell, at) =>
              at === 0 ? (
                <th
                  key={at}
                  scope="row"
                  className="px-3 py-2 text-left font-normal whitespace-nowrap max-sm:px-2"
                >
                  {cell}
                </th>
              ) : (
                <td key={at} className="px-3 py-2 text-right whitespace-nowrap max-sm:px-2">
                  {cell}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

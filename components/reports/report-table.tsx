import { useState, type ReactNode } from "react";
import { ScrollArea } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { cn } from "#lib/cn.ts";

/** The first cell names the row; the others are numbers. */
export interface Table {
  heads: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

interface TableProps {
  label: string;
  table: Table;
}

/** A table in a disclosure. Its rows are rendered when it is opened, because a year has 365. */
export function FoldedTable({ title, label, table }: TableProps & { title: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Disclosure title={title} onToggle={setOpen} className="text-muted max-md:min-h-11">
      {isOpen && (
        <ScrollArea label={label} className="mb-2 max-h-72 overflow-x-auto">
          <ReportTable {...{ label, table }} />
        </ScrollArea>
      )}
    </Disclosure>
  );
}

/**
 * A table that scrolls within the screen.
 * @param none shown instead of an empty table
 */
export function ScrolledTable({
  label,
  table,
  none,
}: TableProps & { none?: string | undefined }) {
  if (table.rows.length === 0) return <p className="text-muted">{none}</p>;
  return (
    <ScrollArea label={label} className="max-h-112 overflow-x-auto">
      <ReportTable {...{ label, table }} />
    </ScrollArea>
  );
}

function ReportTable({ label, table: { heads, rows } }: TableProps) {
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

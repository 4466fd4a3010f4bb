import { useState, type ReactNode } from "react";
import { ScrollArea } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";

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
    <Disclosure title={title} onToggle={setOpen}>
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
    <table className="report-table">
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {cells.map((cell, at) =>
              at === 0 ? (
                <th key={at} scope="row">
                  {cell}
                </th>
              ) : (
                <td key={at}>{cell}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

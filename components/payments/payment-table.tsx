import type { ReactNode } from "react";

interface PaymentTableProps {
  label: string;
  columns: [name: string, heading: string][];
  children: ReactNode;
}

/** Rows of payments or bills: a table on wide screens, cards on narrower ones. */
export const PaymentTable = ({ label, columns, children }: PaymentTableProps) => (
  <div className="overflow-x-auto rounded-md border bg-surface shadow-card max-xl:border-0 max-xl:bg-transparent max-xl:shadow-none">
    <table aria-label={label} role="table" className="payment-rows">
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(([name, heading]) => (
            <th key={name} role="columnheader" scope="col" data-col={name}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
    </table>
  </div>
);

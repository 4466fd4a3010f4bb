"use client";

import type { ColumnDef } from "@tanstack/react-table";
import { useState } from "react";
import { DataTable, type TableShape } from "#components/list/data-table.tsx";
import { FilterTabs } from "#components/list/filters/filter-tabs.tsx";
import { MissingPage, Pagination } from "#components/list/pagination.tsx";
import { Specimens } from "./specimen.tsx";

interface Row {
  id: string;
  name: string;
  amount: string;
}

const ROWS: Row[] = [
  { id: "1", name: "सरस्वती Rai-Maharjan", amount: "Rs 450.00" },
  {
    id: "2",
    name: "A name that is much longer than any column has room for, and goes on",
    amount: "Rs 1,23,456.50",
  },
  { id: "3", name: "Bikram Gurung", amount: "Rs 1,200.00" },
];

const COLUMNS: ColumnDef<TableShape, Row>[] = [
  {
    id: "name",
    header: "Name",
    cell: ({ row }) => <span className="block truncate">{row.original.name}</span>,
  },
  {
    id: "amount",
    header: "Amount",
    meta: { alignRight: true, className: "md:w-40" },
    cell: ({ row }) => <span className="tabular-nums">{row.original.amount}</span>,
  },
];

const TABS = [
  { href: "?all", label: "All", count: 1234, isCurrent: true },
  { href: "?due", label: "Due", count: 17, isCurrent: false },
  { href: "?ending", label: "Ending", isCurrent: false },
];

export function TableSpecimens() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(["2"]));
  const toggle = (row: Row) => {
    const next = new Set(chosen);
    if (!next.delete(row.id)) next.add(row.id);
    setChosen(next);
  };
  const table = { label: "Rows", columns: COLUMNS, rowId: (row: Row) => row.id };
  return (
    <Specimens title="Table">
      <div className="grid w-full min-w-0 gap-5 overflow-hidden px-4 md:px-6 lg:px-8">
        <FilterTabs label="Filter" tabs={TABS} />
        <DataTable
          {...table}
          rows={ROWS}
          expectedRows={3}
          selection={{
            has: (row) => chosen.has(row.id),
            page: "some",
            toggle,
            togglePage: () => setChosen(new Set(chosen.size === 3 ? [] : ["1", "2", "3"])),
            nameOf: (row) => row.name,
          }}
        />
        <DataTable
          {...table}
          label="Rows of the view before"
          rows={ROWS}
          isBusy
          expectedRows={3}
        />
        <DataTable {...table} label="Rows on their way" rows={undefined} expectedRows={3} />
        <Pagination
          paging={{ page: 2, page_size: 20 }}
          pageSizes={[20, 50]}
          answer={{ count: 1234, next: null, results: ROWS }}
          hrefOf={({ page }) => `?page=${page}`}
        />
        <div className="rounded-md border">
          <MissingPage page={9} firstHref="?page=1" />
        </div>
      </div>
    </Specimens>
  );
}

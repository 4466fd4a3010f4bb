import { type QueryKey, type UseQueryResult, hashKey } from "@tanstack/react-query";
import type { ColumnDef, RowData } from "@tanstack/react-table";
import type { ReactNode } from "react";
import { ArrowUp } from "lucide-react";
import { useTranslations } from "next-intl";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import type { Failure } from "#lib/failure.ts";
import { type ListAnswer, PAGE_SIZES, type Paging } from "#lib/list-answer.ts";
import { useHeld } from "#components/context/live-state.ts";
import { Button } from "#components/ui/button.tsx";
import { DataTable, type TableShape } from "./data-table.tsx";
import { IndexNotice } from "./index-notice.tsx";
import { MissingPage, Pagination } from "./pagination.tsx";
import type { RowSelection } from "./row-selection.tsx";
import { StaleNotice, useVisibleFailure } from "./query-state.tsx";

interface ListPageProps<Row extends RowData> {
  label: string;
  columns: ColumnDef<TableShape, Row>[];
  rowId: (row: Row) => string;
  query: UseQueryResult<ListAnswer<Row>>;
  queryKey: QueryKey;
  /** Why the server could not read the list. */
  failure: Failure | null;
  paging: Paging;
  hrefOf: (paging: Paging) => string;
  /** In place of a first page without rows. */
  empty: ReactNode;
  selection?: RowSelection<Row> | undefined;
  /** Above the rows. */
  summary?: ReactNode;
  /** Between the rows and the pages. */
  actions?: ReactNode;
  /** Below the pages. */
  children?: ReactNode;
}

/** The states of a list: loading, stale, failed, empty, pending updates, and rows. */
export function ListPage<Row extends RowData>(props: ListPageProps<Row>) {
  const { query, failure, paging, hrefOf, empty, selection, summary, actions } = props;
  const visibleFailure = useVisibleFailure(query, failure);
  const list = query.data;
  const isBeyondEnd = visibleFailure?.kind === "not_found" || list?.results.length === 0;
  if (isBeyondEnd && paging.page > 1)
    return <MissingPage page={paging.page} firstHref={hrefOf({ ...paging, page: 1 })} />;
  if (visibleFailure) return <FailurePanel failure={visibleFailure} query={query} />;
  return (
    <>
      <StaleNotice query={query} />
      <PendingUpdates queryKey={props.queryKey} />
      {list?.absence && <IndexNotice absence={list.absence} />}
      {list?.results.length === 0 ? (
        empty
      ) : (
        <>
          {summary}
          <DataTable
            label={props.label}
            columns={props.columns}
            selection={selection}
            rows={list?.results}
            rowId={props.rowId}
            isBusy={query.isPlaceholderData}
            expectedRows={paging.page_size}
          />
          {actions}
          {list && (
            <Pagination
              paging={paging}
              pageSizes={PAGE_SIZES}
              answer={{ ...list, next: list.has_next ? "next" : null }}
              hrefOf={hrefOf}
            />
          )}
          {props.children}
        </>
      )}
    </>
  );
}

/** What came or moved in a list while somebody reads it: it waits for a press, so that no row jumps. */
function PendingUpdates({ queryKey }: { queryKey: QueryKey }) {
  const t = useTranslations("live.held");
  const held = useHeld(hashKey(queryKey));
  return (
    <div role="status" className="empty:sr-only">
      {held && (
        <div className="mb-2 flex justify-center">
          <Button onClick={held.show}>
            <ArrowUp aria-hidden className="size-4" />
            {held.count > 0 ? t("new", { count: held.count }) : t("moved")}
          </Button>
        </div>
      )}
    </div>
  );
}

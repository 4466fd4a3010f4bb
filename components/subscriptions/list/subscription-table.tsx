import { useTranslations } from "next-intl";
import { useDeferredValue, useMemo, type ReactNode } from "react";
import type { Subscription } from "#contract/subscriptions.ts";
import { DataTable } from "#components/list/data-table.tsx";
import { Pagination } from "#components/list/pagination.tsx";
import { useScope } from "#components/shell/seller-context.tsx";
import type { SubscriptionColumn } from "#lib/subscriptions/columns/rules.ts";
import { findPath, type FindSearch } from "#lib/subscriptions/list-search.ts";
import { PAGE_SIZES } from "#lib/subscriptions/search.ts";
import { BulkBar } from "#components/subscriptions/bulk/bulk-bar.tsx";
import type { BulkSelection } from "#components/subscriptions/bulk/bulk-selection.ts";
import { columnsFor, sortedColumns } from "./subscription-columns.tsx";

/** A page of subscriptions, of the service's list or of what was found in the copy. */
export interface ShownPage {
  results: Subscription[];
  count: number | null;
  is_capped?: boolean;
  next: string | null;
}

interface SubscriptionTableProps {
  search: FindSearch;
  page: ShownPage | undefined;
  shown: readonly SubscriptionColumn[];
  selection: BulkSelection | null;
  isBusy: boolean;
  /** Below the pages. */
  children?: ReactNode;
}

export function SubscriptionTable({
  search,
  page,
  shown,
  selection,
  isBusy,
  children,
}: SubscriptionTableProps) {
  const t = useTranslations("subscriptions");
  const scope = useScope();
  // The row answers the press; what can be done with it comes right after.
  const settled = useDeferredValue(selection);
  const columns = useMemo(
    () => sortedColumns(columnsFor(t, shown), { scope, search }),
    [t, shown, scope, search],
  );
  return (
    <>
      <DataTable
        label={t("title")}
        columns={columns}
        selection={selection ?? undefined}
        rows={page?.results}
        rowId={(row) => row.subscription_id}
        isBusy={isBusy}
        expectedRows={search.page_size}
      />
      {settled && <BulkBar selection={settled} />}
      {page && (
        <Pagination
          paging={search}
          pageSizes={PAGE_SIZES}
          answer={page}
          hrefOf={(place) => findPath(scope, { ...search, ...place })}
        />
      )}
      {children}
    </>
  );
}

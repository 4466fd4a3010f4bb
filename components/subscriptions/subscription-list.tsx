"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRouter, useSearchParams } from "next/navigation";
import { memo, useDeferredValue, useEffect, useMemo, type ReactNode } from "react";
import type { SubscriptionPage } from "#contract/subscriptions.ts";
import { DataTable } from "#components/data-table/data-table.tsx";
import { Pagination } from "#components/data-table/pagination.tsx";
import { StaleNotice } from "#components/data-table/stale-notice.tsx";
import { useVisibleFailure } from "#components/data-table/use-visible-failure.ts";
import { FailurePanel } from "#components/layout/failure-panel.tsx";
import { PageHeader } from "#components/layout/page-header.tsx";
import { ScopedLink } from "#components/layout/scoped-link.tsx";
import { usePermission, useScope } from "#components/layout/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import type { Failure } from "#lib/billing/errors.ts";
import { columnsQuery } from "#lib/columns/queries.ts";
import { SUBSCRIPTION_COLUMNS, type SubscriptionColumn } from "#lib/columns/rules.ts";
import { bulkRunsQuery } from "#lib/subscriptions/bulk/queries.ts";
import { subscriptionsQuery } from "#lib/subscriptions/queries.ts";
import {
  PAGE_SIZES,
  parseSubscriptionSearch,
  subscriptionPath,
  subscriptionsPath,
  type SubscriptionSearch,
} from "#lib/subscriptions/search.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { BulkRunNotice } from "./bulk-run-notice.tsx";
import { useBulkSelection, type BulkSelection } from "./bulk-selection.ts";
import { EmptySubscriptions, NoSuchPage } from "./empty-subscriptions.tsx";
import { OneTimeNote } from "./one-time-note.tsx";
import { SubscriptionColumnChooser } from "./subscription-column-chooser.tsx";
import { columnsFor } from "./subscription-columns.tsx";
import { SubscriptionTabs } from "./subscription-tabs.tsx";

interface SubscriptionListProps {
  /** Why the server could not read the first page. */
  failure: Failure | null;
}

export function SubscriptionList({ failure }: SubscriptionListProps) {
  const search = useSubscriptionSearch();
  const scope = useScope();
  const query = useQuery({
    ...subscriptionsQuery(scope, search),
    placeholderData: keepPreviousData,
  });
  useFetchedAhead(search, query.isPlaceholderData ? undefined : query.data);
  const visibleFailure = useVisibleFailure(query, failure);
  const retry = () => void query.refetch();
  const shown = useQuery(columnsQuery(scope)).data ?? SUBSCRIPTION_COLUMNS;
  const selection = useBulkSelection(search, query.data?.results);

  return (
    <Frame {...{ search, shown }} page={query.data}>
      <BulkRunNotice />
      <StaleNotice query={query} />
      {visibleFailure ? (
        <ListFailure
          {...{ search, failure: visibleFailure }}
          isRetrying={query.isFetching}
          onRetry={retry}
        />
      ) : (
        <Rows
          {...{ search, shown, selection, page: query.data }}
          isBusy={query.isPlaceholderData}
        />
      )}
    </Frame>
  );
}

/**
 * While the server renders the page: what the cache holds, or rows of the same size. It must not
 * make a query of its own, because hydration would then wait for an effect and miss the first render.
 */
export function SubscriptionListFallback() {
  const search = useSubscriptionSearch();
  const scope = useScope();
  const queryClient = useQueryClient();
  const page = queryClient.getQueryData(subscriptionsQuery(scope, search).queryKey);
  const shown = queryClient.getQueryData(columnsQuery(scope).queryKey) ?? SUBSCRIPTION_COLUMNS;
  const selection = useBulkSelection(search, page?.results);
  return (
    <Frame {...{ search, shown, page }}>
      <Rows {...{ search, shown, page, selection }} isBusy={false} />
    </Frame>
  );
}

interface FrameProps {
  search: SubscriptionSearch;
  page: SubscriptionPage | undefined;
  shown: readonly SubscriptionColumn[];
  children: ReactNode;
}

function Frame({ children, ...head }: FrameProps) {
  return (
    <>
      <ListHead {...head} />
      {children}
    </>
  );
}

/** Remembered, because marking a row changes nothing here. */
const ListHead = memo(function ListHead({ search, page, shown }: Omit<FrameProps, "children">) {
  const t = useTranslations("subscriptions");
  // Read by the notice above the rows.
  const runs = useQueryClient().getQueryData(bulkRunsQuery(useScope()).queryKey);
  const hasRuns = runs !== undefined && runs.length > 0;
  return (
    <>
      <PageHeader
        title={t("title")}
        action={
          <div className="flex gap-2">
            {hasRuns && (
              <ScopedLink href="/subscriptions/bulk" className={buttonClass()}>
                {t("bulkChanges")}
              </ScopedLink>
            )}
            <SubscriptionColumnChooser shown={shown} />
            <CreateLink />
          </div>
        }
      />
      <SubscriptionTabs search={search} page={page} />
    </>
  );
});

function useSubscriptionSearch(): SubscriptionSearch {
  const parameters = useSearchParams();
  return useMemo(() => parseSubscriptionSearch(parameters), [parameters]);
}

/** So that "Next" and the first record opened answer at once. */
function useFetchedAhead(search: SubscriptionSearch, page: SubscriptionPage | undefined) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const scope = useScope();
  const first_id = page?.results[0]?.subscription_id;
  const hasNext = Boolean(page?.next);
  useEffect(() => {
    if (!hasNext) return;
    void queryClient.prefetchQuery(
      subscriptionsQuery(scope, { ...search, page: search.page + 1 }),
    );
  }, [queryClient, scope, search, hasNext]);
  useEffect(() => {
    // One record's page brings the script of them all.
    if (first_id) router.prefetch(subscriptionPath(scope, first_id));
  }, [router, scope, first_id]);
}

function CreateLink() {
  const t = useTranslations("subscriptions");
  if (!usePermission("subscriptions:create")) return null;
  return (
    <ScopedLink href="/subscriptions/new" className={buttonClass("primary", "max-md:hidden")}>
      <Plus aria-hidden className="size-4" />
      {t("new")}
    </ScopedLink>
  );
}

interface RowsProps {
  search: SubscriptionSearch;
  page: SubscriptionPage | undefined;
  shown: readonly SubscriptionColumn[];
  selection: BulkSelection | null;
  isBusy: boolean;
}

function Rows({ search, page, shown, selection, isBusy }: RowsProps) {
  const t = useTranslations("subscriptions");
  const scope = useScope();
  const columns = useMemo(() => columnsFor(t, shown), [t, shown]);
  // The row answers the press; what can be done with it comes right after.
  const settled = useDeferredValue(selection);
  if (page && page.results.length === 0) {
    return search.page > 1 ? (
      <NoSuchPage search={search} />
    ) : (
      <EmptySubscriptions search={search} />
    );
  }
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
          hrefOf={(place) => subscriptionsPath(scope, { ...search, ...place })}
        />
      )}
      {page && search.status === null && <OneTimeNote page={page} />}
    </>
  );
}

interface ListFailureProps {
  search: SubscriptionSearch;
  failure: Failure;
  isRetrying: boolean;
  onRetry: () => void;
}

function ListFailure({ search, failure, isRetrying, onRetry }: ListFailureProps) {
  if (failure.kind === "not_found" && search.page > 1) return <NoSuchPage search={search} />;
  return <FailurePanel {...{ failure, isRetrying, onRetry }} />;
}

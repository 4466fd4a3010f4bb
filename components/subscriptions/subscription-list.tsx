"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { useEffect, useMemo, type ReactNode } from "react";
import type { SubscriptionPage } from "#contract/subscriptions.ts";
import { DataTable } from "#components/data-table/data-table.tsx";
import { Pagination } from "#components/data-table/pagination.tsx";
import { StaleNotice } from "#components/data-table/stale-notice.tsx";
import { useVisibleFailure } from "#components/data-table/use-visible-failure.ts";
import { FailurePanel } from "#components/layout/failure-panel.tsx";
import { PageHeader } from "#components/layout/page-header.tsx";
import { usePermission, useSeller } from "#components/layout/seller-context.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { failureOf, type Failure } from "#lib/billing/errors.ts";
import { formatTime } from "#lib/format.ts";
import { subscriptionsQuery } from "#lib/subscriptions/queries.ts";
import {
  PAGE_SIZES,
  parseSubscriptionSearch,
  subscriptionPath,
  subscriptionsPath,
  type SubscriptionSearch,
} from "#lib/subscriptions/search.ts";
import { EmptySubscriptions, NoSuchPage } from "./empty-subscriptions.tsx";
import { OneTimeNote } from "./one-time-note.tsx";
import { subscriptionColumns } from "./subscription-columns.tsx";
import { SubscriptionTabs } from "./subscription-tabs.tsx";

interface SubscriptionListProps {
  /** Why the server could not read the first page. */
  failure: Failure | null;
}

export function SubscriptionList({ failure }: SubscriptionListProps) {
  const search = useSubscriptionSearch();
  const query = useQuery({ ...subscriptionsQuery(search), placeholderData: keepPreviousData });
  useFetchedAhead(search, query.isPlaceholderData ? undefined : query.data);
  const visibleFailure = useVisibleFailure(query, failure);
  const { time_zone } = useSeller();
  const retry = () => void query.refetch();

  return (
    <Frame search={search} page={query.data}>
      {query.data && query.error && (
        <StaleNotice
          failure={failureOf(query.error)}
          asOf={formatTime(new Date(query.dataUpdatedAt).toISOString(), time_zone)}
          onRetry={retry}
        />
      )}
      {visibleFailure ? (
        <ListFailure
          {...{ search, failure: visibleFailure }}
          isRetrying={query.isFetching}
          onRetry={retry}
        />
      ) : (
        <Rows {...{ search, page: query.data }} isBusy={query.isPlaceholderData} />
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
  const page = useQueryClient().getQueryData(subscriptionsQuery(search).queryKey);
  return (
    <Frame search={search} page={page}>
      <Rows search={search} page={page} isBusy={false} />
    </Frame>
  );
}

interface FrameProps {
  search: SubscriptionSearch;
  page: SubscriptionPage | undefined;
  children: ReactNode;
}

function Frame({ search, page, children }: FrameProps) {
  return (
    <>
      <PageHeader title="Subscriptions" action={<CreateLink />} />
      <SubscriptionTabs search={search} page={page} />
      {children}
    </>
  );
}

function useSubscriptionSearch(): SubscriptionSearch {
  const parameters = useSearchParams();
  return useMemo(() => parseSubscriptionSearch(parameters), [parameters]);
}

/** So that "Next" and the first record opened answer at once. */
function useFetchedAhead(search: SubscriptionSearch, page: SubscriptionPage | undefined) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const first_id = page?.results[0]?.subscription_id;
  const hasNext = Boolean(page?.next);
  useEffect(() => {
    if (!hasNext) return;
    void queryClient.prefetchQuery(subscriptionsQuery({ ...search, page: search.page + 1 }));
  }, [queryClient, search, hasNext]);
  useEffect(() => {
    // One record's page brings the script of them all.
    if (first_id) router.prefetch(subscriptionPath(first_id));
  }, [router, first_id]);
}

function CreateLink() {
  if (!usePermission("subscriptions:create")) return null;
  return (
    <Link href="/subscriptions/new" className={buttonClass("primary", "max-md:hidden")}>
      <Plus aria-hidden className="size-4" />
      New subscription
    </Link>
  );
}

interface RowsProps {
  search: SubscriptionSearch;
  page: SubscriptionPage | undefined;
  isBusy: boolean;
}

function Rows({ search, page, isBusy }: RowsProps) {
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
        label="Subscriptions"
        columns={subscriptionColumns}
        rows={page?.results}
        rowId={(row) => row.subscription_id}
        isBusy={isBusy}
        expectedRows={search.page_size}
      />
      {page && (
        <Pagination
          page={search.page}
          pageSize={search.page_size}
          pageSizes={PAGE_SIZES}
          shown={page.results.length}
          total={page.count}
          hasNext={page.next !== null}
          hrefOf={(place) => subscriptionsPath({ ...search, ...place })}
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

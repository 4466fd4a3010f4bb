import { useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import type { SubscriptionPage } from "#contract/subscriptions.ts";
import { HeldRows } from "#components/list/held-rows.tsx";
import { StaleNotice } from "#components/list/stale-notice.tsx";
import { useVisibleFailure } from "#components/list/use-visible-failure.ts";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { useScope } from "#components/shell/seller-context.tsx";
import type { Failure } from "#lib/failure.ts";
import type { SubscriptionColumn } from "#lib/subscriptions/columns/rules.ts";
import type { FindSearch } from "#lib/subscriptions/list-search.ts";
import { subscriptionsQuery } from "#lib/subscriptions/queries.ts";
import { subscriptionPath, type SubscriptionSearch } from "#lib/subscriptions/search.ts";
import { useBulkSelection } from "#components/subscriptions/bulk/bulk-selection.ts";
import { EmptySubscriptions, NoSuchPage } from "./empty-subscriptions.tsx";
import { OneTimeNote } from "./one-time-note.tsx";
import { SubscriptionTable } from "./subscription-table.tsx";

/** As much of it as the service can be asked for. */
export const plainOf = ({ status, page, page_size }: FindSearch): SubscriptionSearch => ({
  status,
  page,
  page_size,
});

interface ListedSubscriptionsProps {
  search: FindSearch;
  shown: readonly SubscriptionColumn[];
  query: UseQueryResult<SubscriptionPage>;
  /** Why the server could not read the first page. */
  failure: Failure | null;
}

/** A page of the list as the service has it, newest first. */
export function ListedSubscriptions(props: ListedSubscriptionsProps) {
  const { search, shown, query, failure } = props;
  useFetchedAhead(search, query.isPlaceholderData ? undefined : query.data);
  const scope = useScope();
  const visibleFailure = useVisibleFailure(query, failure);
  if (visibleFailure?.kind === "not_found" && search.page > 1)
    return <NoSuchPage search={search} />;
  return (
    <>
      <StaleNotice query={query} />
      <HeldRows queryKey={subscriptionsQuery(scope, plainOf(search)).queryKey} />
      {visibleFailure ? (
        <FailurePanel
          failure={visibleFailure}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <ListedRows {...{ search, shown }} page={query.data} isBusy={query.isPlaceholderData} />
      )}
    </>
  );
}

interface ListedRowsProps {
  search: FindSearch;
  shown: readonly SubscriptionColumn[];
  page: SubscriptionPage | undefined;
  isBusy: boolean;
  /** The page will stand here, and what was marked in this would be lost. */
  isComing?: boolean;
}

export function ListedRows(props: ListedRowsProps) {
  const { search, shown, page, isBusy, isComing = false } = props;
  const queryClient = useQueryClient();
  const scope = useScope();
  const selection = useBulkSelection({
    list: search.status ?? "",
    page: search.page,
    rows: page?.results,
    rowsAt: (number) => {
      const { queryKey } = subscriptionsQuery(scope, { ...plainOf(search), page: number });
      return queryClient.getQueryData(queryKey)?.results;
    },
    isComing,
  });
  if (page?.results.length === 0)
    return search.page > 1 ? (
      <NoSuchPage search={search} />
    ) : (
      <EmptySubscriptions search={search} />
    );
  return (
    <SubscriptionTable {...{ search, page, shown, selection, isBusy }}>
      {page && <OneTimeNote {...{ search, page }} />}
    </SubscriptionTable>
  );
}

/** So that "Next" and the first record opened answer at once. */
function useFetchedAhead(search: FindSearch, page: SubscriptionPage | undefined) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const scope = useScope();
  const first_id = page?.results[0]?.subscription_id;
  const hasNext = Boolean(page?.next);
  useEffect(() => {
    if (!hasNext) return;
    const next = subscriptionsQuery(scope, { ...plainOf(search), page: search.page + 1 });
    // In a task of its own, after the one that puts the page to work.
    const timer = setTimeout(() => void queryClient.prefetchQuery(next));
    return () => clearTimeout(timer);
  }, [queryClient, scope, search, hasNext]);
  useEffect(() => {
    // One record's page brings the script of them all.
    if (first_id) router.prefetch(subscriptionPath(scope, first_id));
  }, [router, scope, first_id]);
}

import { useQueryClient, type QueryKey, type UseQueryResult } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useDeferredValue, useMemo } from "react";
import { ListPage } from "#components/list/list-page.tsx";
import { MatchCount, NoMatch } from "#components/list/index-notice.tsx";
import { pushUrl } from "#components/list/links.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import type { Failure } from "#lib/failure.ts";
import {
  type SubscriptionCounts,
  subscriptionsQuery,
  type SubscriptionList,
} from "#lib/subscriptions/queries.ts";
import type { SubscriptionColumn } from "#lib/subscriptions/columns.ts";
import { uncountedRows } from "#lib/subscriptions/rules.ts";
import {
  isSupportedByApi,
  subscriptionsPath,
  wholeQueryString,
  type SubscriptionSearch,
} from "#lib/subscriptions/search.ts";
import {
  BulkActions,
  useBulkSelection,
} from "#components/subscriptions/bulk/bulk-selection.tsx";
import { EmptySubscriptions } from "./empty-subscriptions.tsx";
import { columnsFor, sortedColumns } from "./subscription-columns.tsx";

interface SubscriptionTableProps {
  search: SubscriptionSearch;
  words: string;
  shown: readonly SubscriptionColumn[];
  counts: SubscriptionCounts | null;
  query: UseQueryResult<SubscriptionList>;
  queryKey: QueryKey;
  failure: Failure | null;
  /** Whether the page replaces this render, so a selection would be lost. */
  isPlaceholder: boolean;
  onClear: () => void;
}

export function SubscriptionTable(props: SubscriptionTableProps) {
  const { search, words, shown, counts, query, queryKey, failure, isPlaceholder } = props;
  const t = useTranslations("subscriptions");
  const scope = useScope();
  const queryClient = useQueryClient();
  const list = query.data;
  const selection = useBulkSelection({
    list: `${wholeQueryString(search)} ${words}`,
    page: search.page,
    rows: list?.results,
    rowsAt: (page) =>
      queryClient.getQueryData(subscriptionsQuery(scope, { ...search, page }, words).queryKey)
        ?.results,
    isPlaceholder,
  });
  // The selected row is rendered first, the action bar after it.
  const deferredSelection = useDeferredValue(selection);
  const unsorted = useMemo(() => columnsFor(t, shown), [t, shown]);
  const columns = useMemo(
    () => sortedColumns(unsorted, { scope, search }),
    [unsorted, scope, search],
  );
  const isFiltered = words !== "" || !isSupportedByApi(search);
  return (
    <ListPage
      label={t("title")}
      className="subscription-rows"
      columns={columns}
      rowId={(row) => row.subscription_id}
      query={query}
      queryKey={queryKey}
      failure={failure}
      paging={search}
      hrefOf={(paging) => subscriptionsPath(scope, { ...search, ...paging })}
      prefetchPage={(paging) =>
        void queryClient.prefetchQuery(
          subscriptionsQuery(scope, { ...search, ...paging }, words),
        )
      }
      selection={selection ?? undefined}
      empty={
        list?.source.kind === "index" ? (
          <NoMatch
            namespace="finding.found"
            list={list}
            action={
              <Button
                onClick={() => {
                  props.onClear();
                  pushUrl(subscriptionsPath(scope, { page_size: search.page_size }));
                }}
              >
                {t("empty.showAll")}
              </Button>
            }
          />
        ) : (
          <EmptySubscriptions search={search} />
        )
      }
      summary={
        isFiltered && !list?.absence && <MatchCount namespace="finding.found" list={list} />
      }
      actions={deferredSelection && <BulkActions selection={deferredSelection} />}
    >
      {list?.source.kind === "api" && <OneTimeNote {...{ search, counts, list }} />}
    </ListPage>
  );
}

interface OneTimeNoteProps {
  search: SubscriptionSearch;
  counts: SubscriptionCounts | null;
  list: SubscriptionList;
}

/** Explains why the list is longer than its tab's count. */
function OneTimeNote({ search: { status }, counts, list }: OneTimeNoteProps) {
  const t = useTranslations("subscriptions");
  const ofActive = status === "active" ? (counts?.one_time ?? 0) : 0;
  const count = counts || status !== null ? ofActive : uncountedRows(list);
  if (count === 0) return null;
  return <p className="mt-3 text-xs text-muted">{t("oneTimeNote", { count })}</p>;
}

"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import { memo, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { SubscriptionPage } from "#contract/subscriptions.ts";
import { CopyNotice } from "#components/list/copy-absence.tsx";
import { useSettled } from "#components/list/filters/use-words.ts";
import { PageHeader } from "#components/shell/page-header.tsx";
import { ScopedLink } from "#components/shell/scoped-link.tsx";
import { usePermission, useScope } from "#components/shell/seller-context.tsx";
import { useSubscriptionLine } from "#components/list/use-list-view.ts";
import { buttonClass } from "#components/ui/button-class.ts";
import type { Failure } from "#lib/failure.ts";
import { columnsQuery } from "#lib/subscriptions/columns/queries.ts";
import { SUBSCRIPTION_COLUMNS, type SubscriptionColumn } from "#lib/subscriptions/columns/rules.ts";
import { findSubscriptionsQuery } from "#lib/subscriptions/search-queries.ts";
import { typedSearch } from "#lib/subscriptions/query-line.ts";
import { isPlain, parseFindSearch, type FindSearch } from "#lib/subscriptions/list-search.ts";
import { bulkRunsQuery } from "#lib/subscriptions/bulk/queries.ts";
import {
  countsQuery,
  subscriptionsQuery,
  type SubscriptionCounts,
} from "#lib/subscriptions/queries.ts";
import { BulkRunNotice } from "#components/subscriptions/bulk/bulk-run-notice.tsx";
import { FoundRows, FoundSubscriptions } from "./found-subscriptions.tsx";
import { ListedRows, ListedSubscriptions, plainOf } from "./listed-subscriptions.tsx";
import { SubscriptionColumnChooser } from "./subscription-column-chooser.tsx";
import { SubscriptionExport } from "./subscription-export.tsx";
import { SubscriptionSearch } from "./subscription-search.tsx";
import { SubscriptionTabs } from "./subscription-tabs.tsx";
import { ViewChange } from "#components/subscriptions/views/view-change.tsx";
import { ViewMenu } from "#components/subscriptions/views/view-menu.tsx";

interface SubscriptionListProps {
  /** Why the server could not read the first page. */
  failure: Failure | null;
}

/** The service's own list; once something is asked that it cannot answer, what the copy has of it. */
export function SubscriptionList({ failure }: SubscriptionListProps) {
  const shownSearch = useFindSearch();
  const scope = useScope();
  const [line, setLine] = useSubscriptionLine();
  const settled = useSettled(line);
  const { search, words } = useMemo(
    () => typedSearch(shownSearch, settled),
    [shownSearch, settled],
  );
  useSettledLine(shownSearch, () => setLine(typedSearch(shownSearch, line).words));
  const isAsked = words !== "" || !isPlain(search);
  const found = useQuery({
    ...findSubscriptionsQuery(scope, search, words),
    enabled: isAsked,
  });
  // What the server could not read was one of the two.
  const [wasAsked] = useState(isAsked);
  const absence = isAsked && found.data && found.data.state !== "ready" ? found.data : null;
  const isListed = !isAsked || absence !== null;
  const listed = useQuery({
    ...subscriptionsQuery(scope, plainOf(search)),
    placeholderData: keepPreviousData,
    enabled: isListed,
  });
  const shown = useQuery(columnsQuery(scope)).data ?? SUBSCRIPTION_COLUMNS;
  const counts = useQuery(countsQuery(scope)).data?.counts ?? null;
  return (
    <>
      <ListHead
        {...{ search, shown, words, counts }}
        page={isListed ? listed.data : undefined}
      />
      <SubscriptionSearch search={shownSearch} line={line} onChange={setLine} />
      <ViewChange search={search} />
      <BulkRunNotice />
      {absence && <CopyNotice absence={absence} />}
      {isListed ? (
        <ListedSubscriptions
          {...{ search, shown }}
          query={listed}
          failure={wasAsked ? null : failure}
        />
      ) : (
        <FoundSubscriptions
          {...{ search, words, shown }}
          query={found}
          failure={wasAsked ? failure : null}
          onClear={() => setLine("")}
        />
      )}
    </>
  );
}

/**
 * While the server renders the page: what the cache holds, or rows of the same size. It must not
 * make a query of its own, because hydration would then wait for an effect and miss the first render.
 */
export function SubscriptionListFallback() {
  const shownSearch = useFindSearch();
  const scope = useScope();
  const queryClient = useQueryClient();
  const [line, setLine] = useSubscriptionLine();
  const { search, words } = typedSearch(shownSearch, line);
  const shown = queryClient.getQueryData(columnsQuery(scope).queryKey) ?? SUBSCRIPTION_COLUMNS;
  const isAsked = words !== "" || !isPlain(search);
  const page = isAsked
    ? undefined
    : queryClient.getQueryData(subscriptionsQuery(scope, plainOf(search)).queryKey);
  const found = queryClient.getQueryData(findSubscriptionsQuery(scope, search, words).queryKey);
  const counts = queryClient.getQueryData(countsQuery(scope).queryKey)?.counts ?? null;
  return (
    <>
      <ListHead {...{ search, shown, page, words, counts }} isComing />
      <SubscriptionSearch search={shownSearch} line={line} onChange={setLine} isComing />
      {isAsked ? (
        <FoundRows
          {...{ search, words, shown }}
          found={found?.state === "ready" ? found : undefined}
          isBusy={false}
          isComing
          onClear={() => setLine("")}
        />
      ) : (
        <ListedRows {...{ search, shown, page }} isBusy={false} isComing />
      )}
    </>
  );
}

interface ListHeadProps {
  search: FindSearch;
  /** The service's counters, where it was asked. */
  page: SubscriptionPage | undefined;
  counts: SubscriptionCounts | null;
  shown: readonly SubscriptionColumn[];
  words: string;
  /** The page will stand here, and what was opened in this would be lost. */
  isComing?: boolean;
}

/** Remembered, because marking a row changes nothing here. */
const ListHead = memo(function ListHead(props: ListHeadProps) {
  const { search, page, counts, shown, words, isComing = false } = props;
  const t = useTranslations("subscriptions");
  // Read by the notice above the rows.
  const runs = useQueryClient().getQueryData(bulkRunsQuery(useScope()).queryKey);
  const hasRuns = runs !== undefined && runs.length > 0;
  return (
    <>
      <PageHeader
        title={t("title")}
        action={
          <div className="flex flex-wrap gap-2">
            {hasRuns && (
              <ScopedLink href="/subscriptions/bulk" className={buttonClass()}>
                {t("bulkChanges")}
              </ScopedLink>
            )}
            <div inert={isComing} className="contents">
              <ViewMenu search={search} />
              <SubscriptionExport {...{ search, words, shown }} />
              <SubscriptionColumnChooser shown={shown} />
            </div>
            <CreateLink />
          </div>
        }
      />
      <SubscriptionTabs {...{ search, page, counts }} />
    </>
  );
});

function useFindSearch(): FindSearch {
  const parameters = useSearchParams();
  return useMemo(() => parseFindSearch(parameters), [parameters]);
}

/** Every way to another list takes along what was typed as a filter, so the line is left without it. */
function useSettledLine(search: FindSearch, settle: () => void) {
  const before = useRef(search);
  const settleLine = useEffectEvent(settle);
  useEffect(() => {
    if (before.current === search) return;
    before.current = search;
    settleLine();
  }, [search]);
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

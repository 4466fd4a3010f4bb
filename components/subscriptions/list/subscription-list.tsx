"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { memo, Suspense, useEffect, useEffectEvent, useMemo, useRef } from "react";
import { useDebounced } from "#components/list/filters/use-words.ts";
import { useListParameters } from "#components/list/links.tsx";
import { useCachedQuery } from "#components/list/query-state.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { ScopedLink, usePermission, useScope } from "#components/context/seller-context.tsx";
import { useSubscriptionSearchText } from "#components/list/saved-views.tsx";
import { lazyPart } from "#components/context/messages-provider.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Columns3, ListTodo, Plus } from "#components/ui/icons.tsx";
import { DialogButton } from "#components/ui/overlays/dialog.tsx";
import { usePreload } from "#components/ui/overlays/popup.ts";
import type { Failure } from "#lib/failure.ts";
import {
  type SubscriptionCounts,
  type SubscriptionList as List,
  columnsQuery,
  countsQuery,
  subscriptionsQuery,
} from "#lib/subscriptions/queries.ts";
import { SUBSCRIPTION_COLUMNS, type SubscriptionColumn } from "#lib/subscriptions/columns.ts";
import { searchWhileTyping } from "#lib/subscriptions/query-line.ts";
import {
  ALL_SUBSCRIPTIONS,
  STATUS_FILTERS,
  type SubscriptionSearch,
  parseSubscriptionSearch,
  subscriptionsPath,
  tabFilters,
} from "#lib/subscriptions/search.ts";
import { type BulkRunSummary, bulkRunsQuery } from "#lib/subscriptions/bulk/queries.ts";
import { ViewUpdatePrompt, ViewMenu } from "#components/subscriptions/views/view-menu.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { FilterTabs } from "#components/list/links.tsx";
import { areCountersWhole, countOfStatus } from "#lib/subscriptions/rules.ts";
import { statusLabel } from "#components/subscriptions/subscription-status-badge.tsx";
import { ExportMenu } from "#components/list/export-menu.tsx";
import { exportPreviewQuery, fetchExport } from "#lib/subscriptions/export/queries.ts";
import { SubscriptionSearchLine } from "./subscription-search.tsx";
import { SubscriptionTable } from "./subscription-table.tsx";

interface SubscriptionListProps {
  /** Why the server could not read the first page. */
  failure: Failure | null;
  /** Whether the server renders the page: it shows what the cache holds, or a skeleton. */
  isPlaceholder?: boolean;
}

export function SubscriptionListPage({
  failure,
  isPlaceholder = false,
}: SubscriptionListProps) {
  const parameters = useListParameters();
  const fromUrl = useMemo(() => parseSubscriptionSearch(parameters), [parameters]);
  const scope = useScope();
  const [line, setLine] = useSubscriptionSearchText();
  const debounced = useDebounced(line);
  const { search, words } = useMemo(
    () => searchWhileTyping(fromUrl, debounced),
    [fromUrl, debounced],
  );
  useLineWithoutTerms(fromUrl, () => setLine(searchWhileTyping(fromUrl, line).words));
  const options = subscriptionsQuery(scope, search, words);
  const query = useCachedQuery(
    { ...options, placeholderData: keepPreviousData },
    isPlaceholder,
  );
  const shown = useCachedQuery(columnsQuery(scope), isPlaceholder).data ?? SUBSCRIPTION_COLUMNS;
  const counts = useCachedQuery(countsQuery(scope), isPlaceholder).data?.counts ?? null;
  return (
    <>
      <ListHead
        {...{ search, shown, words, counts, isPlaceholder }}
        list={query.isPlaceholderData ? undefined : query.data}
      />
      <SubscriptionSearchLine
        search={fromUrl}
        line={line}
        onChange={setLine}
        isPlaceholder={isPlaceholder}
      />
      {!isPlaceholder && (
        <>
          <ViewUpdatePrompt search={search} />
          <BulkRunNotice />
        </>
      )}
      <SubscriptionTable
        {...{ search, words, shown, counts, query, failure, isPlaceholder }}
        queryKey={options.queryKey}
        onClear={() => setLine("")}
      />
    </>
  );
}

interface ListHeadProps {
  search: SubscriptionSearch;
  list: List | undefined;
  counts: SubscriptionCounts | null;
  shown: readonly SubscriptionColumn[];
  words: string;
  /** Whether the page replaces this render, so nothing here may open. */
  isPlaceholder: boolean;
}

/** Memoized, because selecting a row changes nothing here. */
const ListHead = memo(function ListHead(props: ListHeadProps) {
  const { search, list, counts, shown, words, isPlaceholder } = props;
  const t = useTranslations("subscriptions");
  // Only reads the cache; BulkRunNotice fetches the runs.
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
            <div inert={isPlaceholder} className="contents">
              <ViewMenu search={search} />
              <SubscriptionExport {...{ search, words, shown }} />
              <ColumnChooser shown={shown} />
            </div>
            <CreateLinks />
          </div>
        }
      />
      <SubscriptionTabs {...{ search, words, list, counts }} />
    </>
  );
});

/** Removes terms from the search line that a link to another list has converted to filters. */
function useLineWithoutTerms(search: SubscriptionSearch, removeTerms: () => void) {
  const before = useRef(search);
  const onChange = useEffectEvent(removeTerms);
  useEffect(() => {
    if (before.current === search) return;
    before.current = search;
    onChange();
  }, [search]);
}

const ColumnChoice = lazyPart(
  async () => (await import("./subscription-column-chooser.tsx")).ColumnChoice,
  "subscriptions",
);

/** The button that opens the column chooser, whose code is loaded apart from the page. */
function ColumnChooser({ shown }: Pick<ListHeadProps, "shown">) {
  const t = useTranslations("subscriptions.chooser");
  usePreload(ColumnChoice.preload);
  return (
    <DialogButton icon={Columns3} label={t("title")} title={t("title")}>
      {(close) => (
        <Suspense fallback={<span className="skeleton h-96" />}>
          <ColumnChoice shown={shown} onClose={close} />
        </Suspense>
      )}
    </DialogButton>
  );
}

function CreateLinks() {
  const t = useTranslations("subscriptions");
  if (!usePermission("subscriptions:create")) return null;
  return (
    <>
      <ScopedLink href="/subscriptions/import" className={buttonClass()}>
        {t("import")}
      </ScopedLink>
      <ScopedLink href="/subscriptions/new" className={buttonClass("primary", "max-md:hidden")}>
        <Plus aria-hidden className="size-4" />
        {t("new")}
      </ScopedLink>
    </>
  );
}

const SHOWN = 3;
const LOOK_AGAIN_MS = 5_000;

function BulkRunNotice() {
  const t = useTranslations("bulk.notice");
  const { data = [] } = useQuery({
    ...bulkRunsQuery(useScope()),
    refetchInterval: ({ state }) =>
      state.data?.some(({ is_busy, rest }) => is_busy && rest > 0) ? LOOK_AGAIN_MS : false,
  });
  const open = data.filter(({ rest, closed_at }) => rest > 0 && closed_at === null);
  return open.slice(0, SHOWN).map((run) => (
    <Notice key={run.id} look="warning" icon={ListTodo} className="mb-4">
      {t(runStatusOf(run), { done: run.items - run.rest, total: run.items })}{" "}
      <ScopedLink
        href={`/subscriptions/bulk/${run.id}`}
        className="rounded font-medium underline"
      >
        {t.rich("open", { hidden: (words) => <span className="sr-only">{words}</span> })}
      </ScopedLink>
    </Notice>
  ));
}

function runStatusOf({ is_busy, paused_at }: BulkRunSummary) {
  if (paused_at !== null) return "paused";
  return is_busy ? "driving" : "stopped";
}

interface SubscriptionTabsProps {
  search: SubscriptionSearch;
  words: string;
  list: List | undefined;
  /** The counts of the search index; null if it cannot count, then the API's counters are used. */
  counts: SubscriptionCounts | null;
}

/** A tab for each status and for one-time purchases; the counts add up. */
function SubscriptionTabs({ search, words, list, counts }: SubscriptionTabsProps) {
  const t = useTranslations("subscriptions");
  const queryClient = useQueryClient();
  const scope = useScope();
  const { page_size } = search;
  const everything = subscriptionsQuery(scope, { ...ALL_SUBSCRIPTIONS, page_size });
  const counted =
    list && !areCountersWhole(list, search.status)
      ? queryClient.getQueryData(everything.queryKey)
      : list;
  const current = search.kind === "one_time" ? search.kind : search.status;
  const hasOnce = current === "one_time" || (counts?.one_time ?? 0) > 0;
  const names = [null, ...STATUS_FILTERS, ...(hasOnce ? (["one_time"] as const) : [])];
  const labelOf = (name: (typeof names)[number]) => {
    if (name === "one_time") return t("filter.oneTime");
    return name === null ? t("filter.all") : statusLabel(t, name);
  };
  const tabs = names.map((name) => {
    const target: SubscriptionSearch = { ...search, ...tabFilters(name, counts), page: 1 };
    return {
      href: subscriptionsPath(scope, target),
      label: labelOf(name),
      count: countOfStatus({ counts, page: counted }, name),
      isCurrent: name === current,
      onIntent: () => void queryClient.prefetchQuery(subscriptionsQuery(scope, target, words)),
    };
  });
  return <FilterTabs label={t("filter.label")} tabs={tabs} />;
}

interface SubscriptionExportProps {
  search: SubscriptionSearch;
  words: string;
  shown: readonly SubscriptionColumn[];
}

function SubscriptionExport({ search, words, shown }: SubscriptionExportProps) {
  const scope = useScope();
  if (!usePermission("subscriptions:export")) return null;
  return (
    <ExportMenu
      preview={exportPreviewQuery(scope, search, words)}
      columns={["shown", "all"]}
      fetchFile={(format, columns, signal) =>
        fetchExport(
          scope,
          { search, format, columns: columns === "shown" ? [...shown] : null },
          words,
          signal,
        )
      }
    />
  );
}

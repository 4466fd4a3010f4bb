import { hashKey, type QueryKey, type UseQueryResult } from "@tanstack/react-query";
import type { ColumnDef, RowData } from "@tanstack/react-table";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { useTranslations } from "next-intl";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { ArrowUp, ChevronLeft, ChevronRight, FileQuestion } from "#components/ui/icons.tsx";
import type { Failure } from "#lib/failure.ts";
import { type ListAnswer, PAGE_SIZES, type Paging } from "#lib/list-answer.ts";
import { usePendingUpdates } from "#components/context/live-state.ts";
import { Button, useHydrated } from "#components/ui/button.tsx";
import { isConnectionSlow, useFormat } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { cn } from "#lib/cn.ts";
import { StatePanel } from "#components/ui/notice.tsx";
import { DataTable, type TableShape } from "./data-table.tsx";
import { IndexNotice } from "./index-notice.tsx";
import type { RowSelection } from "./row-selection.tsx";
import { StaleNotice, useVisibleFailure } from "./query-state.tsx";
import { LinkToTop, pushUrl, UrlLink } from "./links.tsx";

interface ListPageProps<Row extends RowData> {
  label: string;
  /** The class in rows.css that places the columns. */
  className: string;
  columns: ColumnDef<TableShape, Row>[];
  rowId: (row: Row) => string;
  query: UseQueryResult<ListAnswer<Row>>;
  queryKey: QueryKey;
  /** Why the server could not read the list. */
  failure: Failure | null;
  paging: Paging;
  hrefOf: (paging: Paging) => string;
  prefetchPage: (paging: Paging) => void;
  /** The message if the list has no rows. */
  empty: ReactNode;
  selection?: RowSelection<Row> | undefined;
  /** Content above the rows. */
  summary?: ReactNode;
  /** Content between the rows and the page links. */
  actions?: ReactNode;
  /** Content below the page links. */
  children?: ReactNode;
}

/** The states of a list: loading, stale, failed, empty, pending updates, and rows. */
export function ListPage<Row extends RowData>(props: ListPageProps<Row>) {
  const { query, failure, paging, hrefOf, prefetchPage, empty, selection, summary, actions } =
    props;
  const visibleFailure = useVisibleFailure(query, failure);
  const list = query.data;
  usePrefetchOfNextPage(query.isPlaceholderData ? undefined : list, paging, prefetchPage);
  const isBeyondEnd = visibleFailure?.kind === "not_found" || list?.results.length === 0;
  if (isBeyondEnd && paging.page > 1) return <MissingPage {...{ paging, hrefOf }} />;
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
            className={props.className}
            columns={props.columns}
            selection={selection}
            rows={list?.results}
            rowId={props.rowId}
            isBusy={query.isPlaceholderData}
            expectedRows={paging.page_size}
          />
          {actions}
          {list && <Pagination {...{ list, paging, hrefOf, prefetchPage }} />}
          {props.children}
        </>
      )}
    </>
  );
}

/**
 * Prefetches the next page after this one is shown. Pages of the index are prefetched only when the user
 * is about to press the link, because they take longer and are opened less often.
 */
function usePrefetchOfNextPage(
  list: ListAnswer<unknown> | undefined,
  { page, page_size }: Paging,
  prefetchPage: ListPageProps<never>["prefetchPage"],
) {
  const isWorthIt = list?.source.kind === "api" && list.has_next;
  const prefetch = useEffectEvent(() => prefetchPage({ page: page + 1, page_size }));
  useEffect(() => {
    if (!isWorthIt || isConnectionSlow()) return;
    // Starts after the task that makes the page interactive.
    const timer = setTimeout(prefetch);
    return () => clearTimeout(timer);
  }, [isWorthIt, page, page_size]);
}

/** A button that shows new rows and the new order, so that no row moves while the user reads. */
function PendingUpdates({ queryKey }: { queryKey: QueryKey }) {
  const t = useTranslations("live.held");
  const held = usePendingUpdates(hashKey(queryKey));
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

interface PaginationProps extends Pick<
  ListPageProps<never>,
  "paging" | "hrefOf" | "prefetchPage"
> {
  list: ListAnswer<unknown>;
}

function Pagination({ list, paging, hrefOf, prefetchPage }: PaginationProps) {
  const t = useTranslations("table.pages");
  const format = useFormat();
  const { page, page_size } = paging;
  const { results, count, is_capped, has_next } = list;
  const first = (page - 1) * page_size + 1;
  const range = {
    first: format.count(first),
    last: format.count(first + results.length - 1),
  };
  const to = (target: number) => ({
    href: hrefOf({ page: target, page_size }),
    onIntent: () => prefetchPage({ page: target, page_size }),
  });
  return (
    <nav
      aria-label={t("label")}
      className="mt-3 flex flex-wrap items-center justify-between gap-3 text-sm text-muted"
    >
      <p aria-live="polite" className="tabular-nums">
        {count === null
          ? t("range", range)
          : t(is_capped ? "rangeOfMore" : "rangeOf", { ...range, count: format.count(count) })}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <PageSize {...{ page_size, hrefOf }} />
        <Step link={page > 1 ? to(page - 1) : null} rel="prev">
          <ChevronLeft aria-hidden className="size-4" />
          {t("previous")}
        </Step>
        <Step link={has_next ? to(page + 1) : null} rel="next">
          {t("next")}
          <ChevronRight aria-hidden className="size-4" />
        </Step>
      </div>
    </nav>
  );
}

interface StepProps {
  /** Null if there is no page in this direction. */
  link: { href: string; onIntent: () => void } | null;
  rel: "prev" | "next";
  children: ReactNode;
}

function Step({ link, rel, children }: StepProps) {
  const className = buttonClass("secondary", "text-ink");
  if (link === null)
    return (
      <span aria-disabled className={cn(className, "opacity-45 shadow-none")}>
        {children}
      </span>
    );
  return (
    <LinkToTop {...link} {...{ rel, className }}>
      {children}
    </LinkToTop>
  );
}

function PageSize({
  page_size,
  hrefOf,
}: Pick<PaginationProps, "hrefOf"> & Pick<Paging, "page_size">) {
  const t = useTranslations("table.pages");
  const format = useFormat();
  const isReady = useHydrated();
  // The URL may ask for any size.
  const sizes = [...new Set([...PAGE_SIZES, page_size])].toSorted((a, b) => a - b);
  return (
    <label className="mr-2 flex items-center gap-2">
      {t("rows")}
      <select
        value={page_size}
        disabled={!isReady}
        onChange={({ target }) => pushUrl(hrefOf({ page: 1, page_size: Number(target.value) }))}
        className="h-8 rounded border bg-surface px-2 text-ink tabular-nums shadow-card max-md:h-11"
      >
        {sizes.map((size) => (
          <option key={size} value={size}>
            {format.count(size)}
          </option>
        ))}
      </select>
    </label>
  );
}

function MissingPage({ paging, hrefOf }: Pick<PaginationProps, "paging" | "hrefOf">) {
  const t = useTranslations("table.missing");
  const format = useFormat();
  return (
    <StatePanel
      icon={FileQuestion}
      title={t("title", { page: format.count(paging.page) })}
      text={t("text")}
      action={
        <UrlLink href={hrefOf({ ...paging, page: 1 })} className={buttonClass()}>
          {t("first")}
        </UrlLink>
      }
    />
  );
}

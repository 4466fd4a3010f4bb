"use client";

import { keepPreviousData, useQueryClient } from "@tanstack/react-query";
import { SearchX, Users } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRouter, useSearchParams } from "next/navigation";
import { useEffect, useMemo } from "react";
import { IndexFreshness } from "#components/list/index-notice.tsx";
import { SearchInput } from "#components/list/filters/search-input.tsx";
import { useDebounced, useWords } from "#components/list/filters/use-words.ts";
import { ListPage } from "#components/list/list-page.tsx";
import { pushUrl } from "#components/list/url-link.tsx";
import { useCached } from "#components/list/use-cached.ts";
import { PageHeader } from "#components/shell/page-header.tsx";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { usePermission, useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Button } from "#components/ui/button.tsx";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { customersQuery, type CustomerList as List } from "#lib/customers/queries.ts";
import {
  customerPath,
  customersPath,
  LONGEST_CUSTOMER_SEARCH,
  parseCustomerSearch,
  type CustomerSearch,
} from "#lib/customers/search.ts";
import type { Failure } from "#lib/failure.ts";
import { customerColumns } from "./customer-columns.tsx";

interface CustomerListProps {
  /** Why the server could not read the page. */
  failure: Failure | null;
  /** While the server renders the page: what the cache holds, or a skeleton. */
  isPlaceholder?: boolean;
}

export function CustomerListPage({ failure, isPlaceholder = false }: CustomerListProps) {
  const t = useTranslations("customers");
  const scope = useScope();
  const [typed, setTyped] = useWords("customers");
  const text = useDebounced(typed).trim();
  const search = useCustomerSearch();
  const options = customersQuery(scope, search, text);
  const query = useCached({ ...options, placeholderData: keepPreviousData }, isPlaceholder);
  const list = query.data;
  usePrefetch(search, text, query.isPlaceholderData || isPlaceholder ? undefined : list);
  function type(next: string) {
    setTyped(next);
    // The results have pages of their own.
    if (search.page > 1) pushUrl(customersPath(scope, { ...search, page: 1 }));
  }
  return (
    <>
      <PageHeader title={t("title")} />
      <SearchInput
        label={t("search.label")}
        placeholder={t("search.placeholder")}
        longest={LONGEST_CUSTOMER_SEARCH}
        value={typed}
        onChange={type}
      />
      <ListPage
        label={t("title")}
        columns={customerColumns}
        rowId={(row) => String(row.id)}
        query={query}
        queryKey={options.queryKey}
        failure={failure}
        paging={search}
        hrefOf={(paging) => customersPath(scope, paging)}
        empty={
          list?.source.kind === "index" ? (
            <NoMatch list={list} onClear={() => type("")} />
          ) : (
            <NoCustomers />
          )
        }
        summary={text !== "" && !list?.absence && <MatchCount list={list} />}
      />
    </>
  );
}

function useCustomerSearch(): CustomerSearch {
  const parameters = useSearchParams();
  return useMemo(() => parseCustomerSearch(parameters), [parameters]);
}

/** How many customers match, and how old the index's rows are. */
function MatchCount({ list }: { list: List | undefined }) {
  const t = useTranslations("customers.found");
  return (
    <p role="status" className="mb-2 min-h-5 text-sm text-muted tabular-nums">
      {list?.source.kind === "index" && (
        <>
          {list.is_near
            ? t("near")
            : t(list.is_capped ? "more" : "count", { count: list.count ?? 0 })}{" "}
          <IndexFreshness found={list.source} />
        </>
      )}
    </p>
  );
}

function NoMatch({ list, onClear }: { list: List; onClear: () => void }) {
  const t = useTranslations("customers");
  return (
    <StatePanel
      role="status"
      icon={SearchX}
      title={t("found.noneTitle")}
      text={
        <>
          {t("found.noneText")} <IndexFreshness found={list.source} />
        </>
      }
      action={<Button onClick={onClear}>{t("showAll")}</Button>}
    />
  );
}

function NoCustomers() {
  const t = useTranslations("customers");
  const mayCreate = usePermission("subscriptions:create");
  return (
    <StatePanel
      icon={Users}
      title={t("empty.title")}
      text={t("empty.text")}
      action={
        mayCreate && (
          <ScopedLink href="/subscriptions/new" className={buttonClass("primary")}>
            {t("newSubscription")}
          </ScopedLink>
        )
      }
    />
  );
}

/** Prefetches the next page, and the page of one customer, whose script serves all. */
function usePrefetch(search: CustomerSearch, text: string, list: List | undefined) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const scope = useScope();
  const [first] = list?.results ?? [];
  const firstPath = first && customerPath(scope, first);
  const hasNext = list?.source.kind === "api" && list.has_next;
  useEffect(() => {
    if (!hasNext) return;
    const next = { ...search, page: search.page + 1 };
    void queryClient.prefetchQuery(customersQuery(scope, next, text));
  }, [queryClient, scope, search, text, hasNext]);
  useEffect(() => {
    if (firstPath) router.prefetch(firstPath);
  }, [router, firstPath]);
}

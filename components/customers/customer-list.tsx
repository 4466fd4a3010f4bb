"use client";

import { keepPreviousData, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { createColumnHelper } from "@tanstack/react-table";
import { SearchInput } from "#components/list/filters/search-input.tsx";
import { useDebounced, useSearchText } from "#components/list/filters/use-words.ts";
import { ListPage } from "#components/list/list-page.tsx";
import { MatchCount, NoMatch } from "#components/list/index-notice.tsx";
import { pushUrl, RowLink } from "#components/list/links.tsx";
import { useCachedQuery } from "#components/list/query-state.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { ScopedLink, usePermission, useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Button } from "#components/ui/button.tsx";
import { Users } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import { customersQuery } from "#lib/customers/queries.ts";
import {
  customerPath,
  type CustomerSearch,
  customersPath,
  MAX_CUSTOMER_SEARCH_LENGTH,
  parseCustomerSearch,
} from "#lib/customers/search.ts";
import type { Failure } from "#lib/failure.ts";
import type { Customer } from "#contract/customers.ts";
import type { TableShape } from "#components/list/data-table.tsx";
import { Day } from "#components/values/day.tsx";
import { MissingValue } from "#components/ui/detail-row.tsx";

interface CustomerListProps {
  /** Why the server could not read the page. */
  failure: Failure | null;
  /** Whether the server renders the page: it shows what the cache holds, or a skeleton. */
  isPlaceholder?: boolean;
}

export function CustomerListPage({ failure, isPlaceholder = false }: CustomerListProps) {
  const t = useTranslations("customers");
  const scope = useScope();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useSearchText("customers");
  const text = useDebounced(typed).trim();
  const search = useCustomerSearch();
  const options = customersQuery(scope, search, text);
  const query = useCachedQuery(
    { ...options, placeholderData: keepPreviousData },
    isPlaceholder,
  );
  const list = query.data;
  function type(next: string) {
    setTyped(next);
    // Search results are paged separately, so a new search starts at the first page.
    if (search.page > 1) pushUrl(customersPath(scope, { ...search, page: 1 }));
  }
  return (
    <>
      <PageHeader title={t("title")} />
      <SearchInput
        label={t("search.label")}
        placeholder={t("search.placeholder")}
        longest={MAX_CUSTOMER_SEARCH_LENGTH}
        value={typed}
        onChange={type}
      />
      <ListPage
        label={t("title")}
        className="customer-rows"
        columns={customerColumns}
        rowId={(row) => String(row.id)}
        query={query}
        queryKey={options.queryKey}
        failure={failure}
        paging={search}
        hrefOf={(paging) => customersPath(scope, paging)}
        prefetchPage={(paging) =>
          void queryClient.prefetchQuery(customersQuery(scope, paging, text))
        }
        empty={
          list?.source.kind === "index" ? (
            <NoMatch
              namespace="customers.found"
              list={list}
              action={<Button onClick={() => type("")}>{t("showAll")}</Button>}
            />
          ) : (
            <NoCustomers />
          )
        }
        summary={
          text !== "" &&
          !list?.absence && <MatchCount namespace="customers.found" list={list} />
        }
      />
    </>
  );
}

function useCustomerSearch(): CustomerSearch {
  const parameters = useSearchParams();
  return useMemo(() => parseCustomerSearch(parameters), [parameters]);
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

const helper = createColumnHelper<TableShape, Customer>();

const customerColumns = helper.columns([
  helper.display({
    id: "name",
    header: () => <Head of="name" />,
    cell: ({ row: { original } }) => <CustomerLink customer={original} />,
  }),
  helper.display({
    id: "phone",
    header: () => <Head of="phone" />,
    cell: ({ row: { original } }) => original.buyer_phone || <MissingValue />,
  }),
  helper.display({
    id: "email",
    header: () => <Head of="email" />,
    cell: ({ row: { original } }) => (
      <span title={original.buyer_email}>{original.buyer_email || <MissingValue />}</span>
    ),
  }),
  helper.display({
    id: "since",
    header: () => <Head of="since" />,
    cell: ({ row: { original } }) =>
      original.created_at ? <Day iso={original.created_at} /> : <MissingValue />,
  }),
]);

function Head({ of }: { of: "name" | "phone" | "email" | "since" }) {
  return useTranslations("customers.columns")(of);
}

function CustomerLink({ customer: { id, full_name, buyer_phone } }: { customer: Customer }) {
  const t = useTranslations("customers");
  return (
    <RowLink href={customerPath(useScope(), { id })} title={full_name}>
      {full_name || buyer_phone || t("noName")}
    </RowLink>
  );
}

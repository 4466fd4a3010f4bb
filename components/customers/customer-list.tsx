"use client";

import { keepPreviousData, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import { Suspense, useMemo } from "react";
import { FilterForm } from "#components/list/filters/filter-form.tsx";
import { RemovedFilter, TagSelect } from "#components/list/filters/filter-form.tsx";
import { ExportMenu } from "#components/list/export-menu.tsx";
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
import { Bookmark, Users } from "#components/ui/icons.tsx";
import { DialogButton } from "#components/ui/overlays/dialog.tsx";
import { lazyPart } from "#components/context/messages-provider.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import {
  customerExportPreviewQuery,
  customersQuery,
  fetchCustomerExport,
  type ListedCustomer,
} from "#lib/customers/queries.ts";
import { joinTags } from "#lib/tags/rules.ts";
import {
  customerPath,
  type CustomerSearch,
  customersPath,
  MAX_CUSTOMER_SEARCH_LENGTH,
  parseCustomerSearch,
  searchOfCustomerLine,
} from "#lib/customers/search.ts";
import type { Failure } from "#lib/failure.ts";
import type { Customer } from "#contract/customers.ts";
import { columnsOf } from "#components/list/data-table.tsx";
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
  const line = useDebounced(typed).trim();
  const fromUrl = useCustomerSearch();
  const { search, words: text } = searchOfCustomerLine(fromUrl, line);
  const options = customersQuery(scope, search, text);
  const query = useCachedQuery(
    { ...options, placeholderData: keepPreviousData },
    isPlaceholder,
  );
  const list = query.data;
  function type(next: string) {
    setTyped(next);
    // Search results are paged separately, so a new search starts at the first page.
    if (fromUrl.page > 1) pushUrl(customersPath(scope, { ...fromUrl, page: 1 }));
  }
  function showAll() {
    setTyped("");
    pushUrl(customersPath(scope, { ...fromUrl, tag: null, page: 1 }));
  }
  /** Turns a tag that the search line names into a filter. */
  function take() {
    const whole = searchOfCustomerLine(fromUrl, typed);
    if (whole.search.tag === fromUrl.tag) return;
    setTyped(whole.words);
    pushUrl(customersPath(scope, { ...whole.search, page: 1 }));
  }
  return (
    <>
      <PageHeader
        title={t("title")}
        action={
          <div inert={isPlaceholder} className="flex flex-wrap gap-2">
            <TagsButton />
            <CustomerExport search={search} text={text} />
          </div>
        }
      />
      <SearchInput
        label={t("search.label")}
        placeholder={t("search.placeholder")}
        longest={MAX_CUSTOMER_SEARCH_LENGTH}
        value={typed}
        onChange={type}
        onEnter={take}
      >
        <div inert={isPlaceholder} className="contents">
          <CustomerFilter search={search} />
        </div>
      </SearchInput>
      {fromUrl.tag !== null && (
        <div className="mb-4">
          <RemovedFilter href={customersPath(scope, { ...fromUrl, tag: null, page: 1 })}>
            {t("tagged", { name: fromUrl.tag })}
          </RemovedFilter>
        </div>
      )}
      <ListPage
        label={t("title")}
        className="customer-rows"
        columns={customerColumns}
        rowId={(row) => String(row.id)}
        query={query}
        queryKey={options.queryKey}
        failure={failure}
        paging={search}
        hrefOf={(paging) => customersPath(scope, { ...fromUrl, ...paging })}
        prefetchPage={(paging) =>
          void queryClient.prefetchQuery(customersQuery(scope, { ...search, ...paging }, text))
        }
        empty={
          list?.source.kind === "index" ? (
            <NoMatch
              namespace="customers.found"
              list={list}
              action={<Button onClick={showAll}>{t("showAll")}</Button>}
            />
          ) : (
            <NoCustomers />
          )
        }
        summary={
          (text !== "" || search.tag !== null) &&
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

function CustomerExport({ search, text }: { search: CustomerSearch; text: string }) {
  const scope = useScope();
  if (!usePermission("subscriptions:export")) return null;
  return (
    <ExportMenu
      preview={customerExportPreviewQuery(scope, search, text)}
      columns={["all"]}
      fetchFile={(format, _columns, signal) =>
        fetchCustomerExport(scope, { search, format }, text, signal)
      }
    />
  );
}

function CustomerFilter({ search }: { search: CustomerSearch }) {
  const t = useTranslations("customers");
  const scope = useScope();
  return (
    <FilterForm
      label={t("filter")}
      action={customersPath(scope)}
      pathFor={(form) =>
        customersPath(scope, { ...parseCustomerSearch(form), page_size: search.page_size })
      }
      active={search.tag === null ? 0 : 1}
      isFolded
    >
      <div className="col-span-2">
        <TagSelect form="customers" value={search.tag} />
      </div>
    </FilterForm>
  );
}

const TagManager = lazyPart(async () => (await import("./tag-manager.tsx")).TagManager, "tags");

/** Opens the seller's tags; their code is loaded at the first opening. */
function TagsButton() {
  const t = useTranslations("customers");
  return (
    <DialogButton icon={Bookmark} label={t("tags")} title={t("tags")}>
      {(close) => (
        <Suspense fallback={<span className="skeleton h-48" />}>
          <TagManager onClose={close} />
        </Suspense>
      )}
    </DialogButton>
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

type ColumnName = "name" | "phone" | "email" | "since";

const customerColumns = columnsOf<ListedCustomer, ColumnName>(Head, {
  name: (customer) => (
    <>
      <CustomerLink customer={customer} />
      <TagLine tags={customer.tags} />
    </>
  ),
  phone: ({ buyer_phone }) => buyer_phone || <MissingValue />,
  email: ({ buyer_email }) => (
    <span title={buyer_email}>{buyer_email || <MissingValue />}</span>
  ),
  since: ({ created_at }) => (created_at ? <Day iso={created_at} /> : <MissingValue />),
});

function Head({ of }: { of: ColumnName }) {
  return useTranslations("customers.columns")(of);
}

function TagLine({ tags = [] }: { tags: string[] | undefined }) {
  const t = useTranslations("customers");
  if (tags.length === 0) return null;
  return (
    <small className="truncate" title={joinTags(tags)}>
      <span className="sr-only">{t("tags")}: </span>
      {joinTags(tags)}
    </small>
  );
}

function CustomerLink({ customer: { id, full_name, buyer_phone } }: { customer: Customer }) {
  const t = useTranslations("customers");
  return (
    <RowLink href={customerPath(useScope(), { id })} title={full_name}>
      {full_name || buyer_phone || t("noName")}
    </RowLink>
  );
}

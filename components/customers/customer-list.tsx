"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRouter, useSearchParams } from "next/navigation";
import { useEffect, useMemo } from "react";
import type { CustomerPage } from "#contract/customers.ts";
import { StaleNotice } from "#components/list/stale-notice.tsx";
import { useWords } from "#components/list/filters/use-words.ts";
import { useVisibleFailure } from "#components/list/use-visible-failure.ts";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import type { Failure } from "#lib/failure.ts";
import { customersQuery } from "#lib/customers/queries.ts";
import {
  customerPath,
  parseCustomerSearch,
  type CustomerSearch,
} from "#lib/customers/search.ts";
import { CustomerRows, NoSuchCustomerPage } from "./customer-rows.tsx";
import { FoundCustomers } from "./found-customers.tsx";
import { SearchField } from "./search-field.tsx";

/** @param failure why the server could not read the page */
export function CustomerList({ failure }: { failure: Failure | null }) {
  const t = useTranslations("customers");
  const [words, setWords] = useWords("customers");
  return (
    <>
      <PageHeader title={t("title")} />
      <SearchField words={words} onChange={setWords} />
      {words.trim() === "" ? (
        <Page failure={failure} />
      ) : (
        <FoundCustomers words={words} onClear={() => setWords("")} />
      )}
    </>
  );
}

/** While the server renders the page: what the cache holds, or rows of the same size. */
export function CustomerListFallback() {
  const t = useTranslations("customers");
  const search = useCustomerSearch();
  const page = useQueryClient().getQueryData(customersQuery(useScope(), search).queryKey);
  return (
    <>
      <PageHeader title={t("title")} />
      <span className="skeleton mb-4 h-9 max-md:h-11 md:w-80" />
      <CustomerRows search={search} page={page} />
    </>
  );
}

function Page({ failure }: { failure: Failure | null }) {
  const search = useCustomerSearch();
  const query = useQuery({
    ...customersQuery(useScope(), search),
    placeholderData: keepPreviousData,
  });
  useFetchedAhead(search, query.isPlaceholderData ? undefined : query.data);
  const visibleFailure = useVisibleFailure(query, failure);
  if (visibleFailure?.kind === "not_found" && search.page > 1)
    return <NoSuchCustomerPage search={search} />;
  if (visibleFailure) {
    const retry = () => void query.refetch();
    return (
      <FailurePanel failure={visibleFailure} isRetrying={query.isFetching} onRetry={retry} />
    );
  }
  return (
    <>
      <StaleNotice query={query} />
      <CustomerRows search={search} page={query.data} isBusy={query.isPlaceholderData} />
    </>
  );
}

function useCustomerSearch(): CustomerSearch {
  const parameters = useSearchParams();
  return useMemo(() => parseCustomerSearch(parameters), [parameters]);
}

/** So that "Next" and the first customer opened answer at once. */
function useFetchedAhead(search: CustomerSearch, page: CustomerPage | undefined) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const scope = useScope();
  const [first] = page?.results ?? [];
  const firstPath = first && customerPath(scope, first);
  const hasNext = Boolean(page?.next);
  useEffect(() => {
    if (!hasNext) return;
    const next = { ...search, page: search.page + 1 };
    void queryClient.prefetchQuery(customersQuery(scope, next));
  }, [queryClient, scope, search, hasNext]);
  useEffect(() => {
    // One customer's page brings the script of them all.
    if (firstPath) router.prefetch(firstPath);
  }, [router, firstPath]);
}

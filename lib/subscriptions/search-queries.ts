import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Customer } from "#contract/customers.ts";
import type { Product } from "#contract/products.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { CopyState } from "#lib/search-index/query/index-status.ts";
import type { Facet } from "#lib/search-index/query/facets.ts";
import type { RowsFound } from "#lib/search-index/query/find-rows.ts";
import type { Paging } from "#lib/paging.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { unlessFollowed } from "#lib/query/client.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import { findQueryString, type FindSearch } from "./list-search.ts";

/** Why nothing can be found in the copy: it is off, or not everything has been in it yet. */
export type CopyAbsence = Exclude<CopyState, { state: "ready" }>;

/** One page of what was found in the copy, and how old that is. */
export type Findings<Row> = Extract<CopyState, { state: "ready" }> & RowsFound<Row>;
export type Found<Row> = Findings<Row> | CopyAbsence;

export type { Facet };

/** What the palette shows of the copy. */
export interface FoundRecords {
  subscriptions: Subscription[];
  customers: Customer[];
  products: Product[];
}

/** What is typed about a buyer stands in no address, because addresses are logged. */
export const WORDS_HEADER = "x-words";

const FILLING_MS = 5_000;
const FOLLOWING_MS = 30_000;

export const wordsHeader = (words: string) => ({ [WORDS_HEADER]: encodeURIComponent(words) });

/** Of the header; empty for none, and for one that cannot be read. */
export function readWords(header: string | null): string {
  try {
    return decodeURIComponent(header ?? "");
  } catch {
    return "";
  }
}

/** Below the key that every change of a subscription renews. */
const findingsKey = (scope: Scope) => [scope, "subscriptions", "found"] as const;

export const findSubscriptionsQuery = (scope: Scope, search: FindSearch, words: string) =>
  queryOptions({
    queryKey: [...findingsKey(scope), search, words] as const,
    queryFn: ({ signal }) =>
      fetchJson<Found<Subscription>>(
        apiPath(scope, `/search/subscriptions${findQueryString(search)}`),
        signal,
        wordsHeader(words),
      ),
    placeholderData: keepPreviousData,
    // The copy follows the service by itself, and while it fills it tells how far it is.
    refetchInterval: (query) =>
      refetchEvery(
        query.state.data?.state === "filling" ? FILLING_MS : unlessFollowed(FOLLOWING_MS),
      )(query),
  });

export const findCustomersQuery = (scope: Scope, paging: Paging, words: string) =>
  queryOptions({
    queryKey: [scope, "customers", "found", paging, words] as const,
    queryFn: ({ signal }) =>
      fetchJson<Found<Customer>>(
        apiPath(scope, `/search/customers${findQueryString(paging)}`),
        signal,
        wordsHeader(words),
      ),
    placeholderData: keepPreviousData,
  });

/** Some of everything, for the palette. */
export const findRecordsQuery = (scope: Scope, words: string) =>
  queryOptions({
    queryKey: [scope, "search", "records", words] as const,
    queryFn: ({ signal }) =>
      fetchJson<FoundRecords>(apiPath(scope, "/search/records"), signal, wordsHeader(words)),
    placeholderData: keepPreviousData,
  });

/** The products and plans that a list can be narrowed to. */
export const facetsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "search", "facets"] as const,
    queryFn: ({ signal }) => fetchJson<Facet[]>(apiPath(scope, "/search/facets"), signal),
  });

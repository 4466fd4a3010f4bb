import { infiniteQueryOptions, queryOptions, type QueryClient } from "@tanstack/react-query";
import type { Customer } from "#contract/customers.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import {
  FILLING_RECHECK_MS,
  refetchList,
  searchTextHeader,
  type ExportFormat,
  type ExportPreview,
  type ListAnswer,
} from "#lib/list-answer.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { fetchFile, fetchJson, readRoute } from "#lib/query/fetch-json.ts";
import { phoneKey } from "#contract/phone-number.ts";
import type { CustomerNote } from "./rules.ts";
import { customerQueryString, type CustomerSearch } from "./search.ts";

export interface CustomerLookup {
  /** The customer; null if none with this phone was found. */
  customer: Customer | null;
  /** While the index fills: how many of the newest customers were searched; null if all were. */
  newest: number | null;
}

/** A customer with their tags, if they have any. */
export type ListedCustomer = Customer & { tags?: string[] };

export type CustomerList = ListAnswer<ListedCustomer>;

export interface CustomerNotes {
  /** Whether the customer's phone can be read; without it they can have neither notes nor tags. */
  has_phone: boolean;
  tags: string[];
  /** Newest first. */
  notes: CustomerNote[];
  /** All tags of the seller. */
  known: string[];
}

export type SubscriptionsOf = ListAnswer<Subscription>;

export const PHONE_HEADER = "x-phone";

const customersKey = (scope: Scope) => [scope, "customers"] as const;

/** @param text the search text, if any */
export const customersQuery = (scope: Scope, search: CustomerSearch, text = "") =>
  queryOptions({
    queryKey: [...customersKey(scope), "list", search, text] as const,
    queryFn: readRoute<CustomerList>(
      scope,
      `/customers${customerQueryString(search)}`,
      searchTextHeader(text),
    ),
    refetchInterval: refetchList,
  });

/** The customer with this phone, in any spelling; disabled while it is too short. */
export const customerByPhoneQuery = (scope: Scope, phone: string) => {
  const key = phoneKey(phone);
  return queryOptions({
    queryKey: [...customersKey(scope), "by_phone", key] as const,
    queryFn: readRoute<CustomerLookup>(scope, "/customers/lookup", {
      [PHONE_HEADER]: key,
    }),
    enabled: key !== "",
  });
};

export const customerQuery = (scope: Scope, id: string) =>
  queryOptions({
    queryKey: [...customersKey(scope), "record", id] as const,
    queryFn: readRoute<Customer>(scope, `/customers/${encodeURIComponent(id)}`),
  });

export const customerNotesQuery = (scope: Scope, id: string) =>
  queryOptions({
    queryKey: [...customersKey(scope), "notes", id] as const,
    queryFn: readRoute<CustomerNotes>(scope, `/customers/${encodeURIComponent(id)}/notes`),
  });

/** The number of rows of the file, or why there is none. */
export const customerExportPreviewQuery = (
  scope: Scope,
  search: CustomerSearch,
  text: string,
) =>
  queryOptions({
    queryKey: [...customersKey(scope), "export", search, text] as const,
    queryFn: readRoute<ExportPreview>(
      scope,
      `/customers/export/count${customerQueryString(search)}`,
      searchTextHeader(text),
    ),
    staleTime: 0,
  });

/** @throws AppError, also if the download breaks off */
export const fetchCustomerExport = (
  scope: Scope,
  { search, format }: { search: CustomerSearch; format: ExportFormat },
  text: string,
  signal: AbortSignal,
) => {
  const given = new URLSearchParams(customerQueryString(search));
  given.set("format", format);
  return fetchFile(
    apiPath(scope, `/customers/export?${given.toString()}`),
    signal,
    searchTextHeader(text),
  );
};

/** Its key begins with "subscriptions", so that every change of a subscription invalidates it. */
export const customerSubscriptionsQuery = (scope: Scope, id: string) =>
  infiniteQueryOptions({
    queryKey: [scope, "subscriptions", "of_customer", id] as const,
    queryFn: ({ signal, pageParam: page }) =>
      fetchJson<SubscriptionsOf>(
        apiPath(
          scope,
          `/customers/${encodeURIComponent(id)}/subscriptions${customerQueryString({ page })}`,
        ),
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: ({ has_next }, _pages, page) => (has_next ? page + 1 : null),
    refetchInterval: (query) => {
      const isFilling = query.state.data?.pages.some(({ absence }) => absence);
      return refetchEvery(isFilling ? FILLING_RECHECK_MS : false)(query);
    },
  });

/**
 * The customer from a list that this tab has loaded, shown while the record itself is being read.
 */
export function findListedCustomer(
  client: QueryClient,
  scope: Scope,
  id: string,
): Customer | undefined {
  return listedCustomers(client, scope).find((customer) => String(customer.id) === id);
}

/** All customers that this tab has loaded; some can be repeated. */
export function listedCustomers(client: QueryClient, scope: Scope): Customer[] {
  const key = [...customersKey(scope), "list"];
  const lists = client.getQueriesData<CustomerList>({ queryKey: key });
  return lists.flatMap(([, list]) => list?.results ?? []);
}

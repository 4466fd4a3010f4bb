import { infiniteQueryOptions, queryOptions, type QueryClient } from "@tanstack/react-query";
import type { Customer } from "#contract/customers.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { SearchExtent } from "#lib/search-extent.ts";
import { refetchList, searchTextHeader, type ListAnswer } from "#lib/list-answer.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import { phoneKey } from "#lib/text/phone.ts";
import { customerQueryString, type CustomerSearch } from "./search.ts";

export interface CustomerLookup extends SearchExtent {
  /** Null when nobody with this phone is among those that were looked at. */
  customer: Customer | null;
}

export type CustomerList = ListAnswer<Customer>;

/** One stretch of the list of subscriptions, and which of it are the customer's. */
export interface FoundSubscriptions {
  subscriptions: Subscription[];
  /** Rows of this stretch. */
  searched: number;
  total: number | null;
  /** Where the next stretch begins; null at the end of the list. */
  next_page: number | null;
  /** Where they come out of the copy: how old that is. Then `looked` and `total` are of theirs alone. */
  copy?: { as_of: string; age_s: number };
}

export const PHONE_HEADER = "x-phone";

const customersKey = (scope: Scope) => [scope, "customers"] as const;

/** @param text what is searched for, if anything */
export const customersQuery = (scope: Scope, search: CustomerSearch, text = "") =>
  queryOptions({
    queryKey: [...customersKey(scope), "list", search, text] as const,
    queryFn: ({ signal }) =>
      fetchJson<CustomerList>(
        apiPath(scope, `/customers${customerQueryString(search)}`),
        signal,
        searchTextHeader(text),
      ),
    refetchInterval: refetchList,
  });

/** Who has this phone, however it is written; asks nothing while it is too short for one. */
export const customerByPhoneQuery = (scope: Scope, phone: string) => {
  const key = phoneKey(phone);
  return queryOptions({
    queryKey: [...customersKey(scope), "by_phone", key] as const,
    queryFn: ({ signal }) =>
      fetchJson<CustomerLookup>(apiPath(scope, "/customers/lookup"), signal, {
        [PHONE_HEADER]: key,
      }),
    enabled: key !== "",
  });
};

export const customerQuery = (scope: Scope, id: string) =>
  queryOptions({
    queryKey: [...customersKey(scope), "record", id] as const,
    queryFn: ({ signal }) =>
      fetchJson<Customer>(apiPath(scope, `/customers/${encodeURIComponent(id)}`), signal),
  });

/** Interval by interval, as far as the user wants to search; under the key that every change renews. */
export const customerSubscriptionsQuery = (scope: Scope, id: string) =>
  infiniteQueryOptions({
    queryKey: [scope, "subscriptions", "of_customer", id] as const,
    queryFn: ({ signal, pageParam: page }) =>
      fetchJson<FoundSubscriptions>(
        apiPath(
          scope,
          `/customers/${encodeURIComponent(id)}/subscriptions${customerQueryString({ page })}`,
        ),
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: ({ next_page }) => next_page,
  });

/** The row of a list that is already here, to show while the record itself is on its way. */
export function findListedCustomer(
  client: QueryClient,
  scope: Scope,
  id: string,
): Customer | undefined {
  return listedCustomers(client, scope).find((customer) => String(customer.id) === id);
}

/** All that are here already, some of them more than once. */
export function listedCustomers(client: QueryClient, scope: Scope): Customer[] {
  const key = [...customersKey(scope), "list"];
  const lists = client.getQueriesData<CustomerList>({ queryKey: key });
  return lists.flatMap(([, list]) => list?.results ?? []);
}

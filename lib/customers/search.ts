import { scopePath, type Scope } from "#lib/scope.ts";
import { PAGING_FIELDS, type Paging } from "#lib/list-answer.ts";
import { defineSearch } from "#lib/search-params.ts";

export const MAX_CUSTOMER_SEARCH_LENGTH = 100;

export type CustomerSearch = Paging;
export const { parse: parseCustomerSearch, toQuery: customerQueryString } =
  defineSearch(PAGING_FIELDS);

export function customersPath(scope: Scope, search: Partial<CustomerSearch> = {}): string {
  return scopePath(scope, `/customers${customerQueryString(search)}`);
}

export function customerPath(scope: Scope, { id }: { id: number | string }): string {
  return scopePath(scope, `/customers/${id}`);
}

/** Reads a customer's id from a URL; null if it is not a positive integer. */
export function readCustomerId(text: string): number | null {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
    ? Number(text)
    : null;
}

import { scopePath, type Scope } from "#lib/scope.ts";
import { PAGING_FIELDS, type Paging } from "#lib/list-answer.ts";
import { defineSearch, shortText } from "#lib/search-params.ts";

export const MAX_CUSTOMER_SEARCH_LENGTH = 100;

export interface CustomerSearch extends Paging {
  /** The name of a tag; null for all customers. */
  tag: string | null;
}
export const { parse: parseCustomerSearch, toQuery: customerQueryString } =
  defineSearch<CustomerSearch>({
    tag: shortText(MAX_CUSTOMER_SEARCH_LENGTH),
    ...PAGING_FIELDS,
  });

const TAG_TERM = /(?<!\S)tag:(?:"([^"]*)"?|(\S*))/giu;

/**
 * Moves the tag of a search line such as `asha tag:"pays late"` into the search. Of several tags
 * the last one counts.
 */
export function searchOfCustomerLine(search: CustomerSearch, line: string) {
  let { tag } = search;
  const words = line.replace(TAG_TERM, (_term, quoted?: string, bare?: string) => {
    tag = (quoted ?? bare ?? "").trim() || tag;
    return " ";
  });
  return { search: { ...search, tag }, words: words.replace(/\s+/g, " ").trim() };
}

export function customersPath(scope: Scope, search: Partial<CustomerSearch> = {}): string {
  return scopePath(scope, `/customers${customerQueryString(search)}`);
}

/** The path to the customers with a tag, within a scope. */
export const tagPath = (tag: string): string =>
  `/customers?${new URLSearchParams({ tag }).toString()}`;

export function customerPath(scope: Scope, { id }: { id: number | string }): string {
  return scopePath(scope, `/customers/${id}`);
}

/** Reads a customer's id from a URL; null if it is not a positive integer. */
export function readCustomerId(text: string): number | null {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
    ? Number(text)
    : null;
}

import { PAGING_FIELDS, type Paging } from "#lib/list-answer.ts";
import { scopePath, type Scope } from "#lib/scope.ts";
import { defineSearch, oneOf, shortText } from "#lib/search-params.ts";

export const MAX_PRODUCT_SEARCH_LENGTH = 100;

export interface ProductSearch extends Paging {
  /** The search text; null for the whole list. */
  q: string | null;
  /** `off`: the products off sale, which have no search. */
  sale: "off" | null;
}

export const { parse: parseProductSearch, toQuery: productQueryString } =
  defineSearch<ProductSearch>({
    ...PAGING_FIELDS,
    q: shortText(MAX_PRODUCT_SEARCH_LENGTH),
    sale: oneOf(["off"]),
  });

export function productsPath(scope: Scope, search: Partial<ProductSearch> = {}): string {
  return scopePath(scope, `/products${productQueryString(search)}`);
}

export function productPath(scope: Scope, product_id: string): string {
  return scopePath(scope, `/products/${encodeURIComponent(product_id)}`);
}

/** The page of a product that was just added, with a message that it was added. */
export const addedProductPath = (scope: Scope, product_id: string): string =>
  `${productPath(scope, product_id)}?added=1`;

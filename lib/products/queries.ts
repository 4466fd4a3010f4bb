import { queryOptions } from "@tanstack/react-query";
import type { Product } from "#contract/products.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { Amounts } from "#lib/money/price.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";

/** A product as far as choosing a period and its price needs it. */
export type CatalogueProduct = Pick<
  Product,
  "product_id" | "name" | "is_active" | "vat" | "plan"
>;

export interface ProductCatalogue {
  products: CatalogueProduct[];
  /** False if the seller has more products, and the index is not filled yet. */
  is_complete: boolean;
  /** The seller's day by the service's clock, YYYY-MM-DD: which offers hold. */
  today: string;
}

export interface ProductList extends ProductCatalogue {
  products: Product[];
}

export interface ProductRecord {
  /** Null if it is not in the list. */
  product: Product | null;
  is_complete: boolean;
  today: string;
}

export const catalogueQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "products", "catalogue"] as const,
    queryFn: ({ signal }) =>
      fetchJson<ProductCatalogue>(apiPath(scope, "/products/catalogue"), signal),
  });

/** They change with the days and with the catalogue. */
const AMOUNTS_MS = 5 * 60_000;

export const amountsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "products", "amounts"] as const,
    queryFn: ({ signal }) => fetchJson<Amounts>(apiPath(scope, "/products/amounts"), signal),
    staleTime: AMOUNTS_MS,
  });

export const productsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "products", "list"] as const,
    queryFn: ({ signal }) => fetchJson<ProductList>(apiPath(scope, "/products"), signal),
  });

export const productQuery = (scope: Scope, product_id: string) =>
  queryOptions({
    queryKey: [scope, "products", "record", product_id] as const,
    queryFn: ({ signal }) =>
      fetchJson<ProductRecord>(
        apiPath(scope, `/products/record/${encodeURIComponent(product_id)}`),
        signal,
      ),
  });

import { queryOptions } from "@tanstack/react-query";
import type { Product } from "#contract/products.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";

/** A product as far as choosing a period and its price needs it. */
export type CatalogueProduct = Pick<Product, "product_id" | "name" | "vat" | "plan">;

export interface Catalogue {
  products: CatalogueProduct[];
  /** False when the list is longer than we walk. */
  is_complete: boolean;
}

export const catalogueQuery = () =>
  queryOptions({
    queryKey: ["products", "catalogue"] as const,
    queryFn: ({ signal }) => fetchJson<Catalogue>("/api/products", signal),
  });

import type { Product } from "#contract/products.ts";
import { PAGING_FIELDS, type Paging } from "#lib/list-answer.ts";
import { scopePath, type Scope } from "#lib/scope.ts";
import { defineSearch, shortText } from "#lib/search-params.ts";
import { matchRank } from "#lib/text/match-text.ts";

export const LONGEST_PRODUCT_SEARCH = 100;

export interface ProductSearch extends Paging {
  /** The search text; null for the whole list. */
  q: string | null;
}

export const { parse: parseProductSearch, toQuery: productQueryString } =
  defineSearch<ProductSearch>({ ...PAGING_FIELDS, q: shortText(LONGEST_PRODUCT_SEARCH) });

export function productsPath(scope: Scope, search: Partial<ProductSearch> = {}): string {
  return scopePath(scope, `/products${productQueryString(search)}`);
}

export function productPath(scope: Scope, product_id: string): string {
  return scopePath(scope, `/products/${encodeURIComponent(product_id)}`);
}

type Searchable = Pick<Product, "product_id" | "name" | "plan">;

/** The products whose name, plans, periods and ids contain every word; the best by name first. */
export function searchProducts<Item extends Searchable>(products: Item[], q: string): Item[] {
  if (!q.trim()) return products;
  return products
    .map((product) => ({
      product,
      rank: matchRank({ title: product.name, words: wordsOf(product) }, q),
    }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ product }) => product);
}

function wordsOf({ product_id, plan }: Searchable): string {
  const plans = plan.flatMap(({ plan_id, plan_name, description: words, billing_periods }) => [
    plan_id,
    plan_name,
    words,
    ...billing_periods.flatMap(({ pbp_id, label }) => [pbp_id, label]),
  ]);
  return [product_id, ...plans].join("\n");
}

import type { Product } from "#contract/products.ts";
import { scopePath, type Scope } from "#lib/scope.ts";
import { matchRank } from "#lib/text/match-text.ts";
import { defineSearch, shortText, type Parameters } from "#lib/search-params.ts";

export const LONGEST_SEARCH = 100;

const productSearch = defineSearch({ q: shortText(LONGEST_SEARCH) });

/** The search text of the list's address; empty for none. */
export const parseProductSearch = (parameters: Parameters): string =>
  productSearch.parse(parameters).q ?? "";

export const productsPath = (scope: Scope, q = ""): string =>
  scopePath(scope, `/products${productSearch.toQuery({ q: q.trim() === "" ? null : q })}`);

export function productPath(scope: Scope, product_id: string): string {
  return scopePath(scope, `/products/${encodeURIComponent(product_id)}`);
}

/** A product as far as it is searched; a shorter one has fewer words to be found by. */
export type Searchable = Pick<Product, "product_id" | "name" | "plan"> &
  Partial<Pick<Product, "description" | "type">>;

/** Those that hold every word, in a name, a description, a plan, a period or an id; the nearest by name first. */
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

function wordsOf({ product_id, description, type, plan }: Searchable): string {
  const plans = plan.flatMap(({ plan_id, plan_name, description: words, billing_periods }) => [
    plan_id,
    plan_name,
    words,
    ...billing_periods.flatMap(({ pbp_id, label }) => [pbp_id, label]),
  ]);
  return [product_id, description ?? "", type ?? "", ...plans].join("\n");
}

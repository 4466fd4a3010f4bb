import type { Product } from "#contract/products.ts";
import { matchRank } from "#lib/text/match-text.ts";

type Searchable = Pick<Product, "product_id" | "name" | "plan">;

/** The products whose name, plans, periods and ids contain every word; best matches by name first. */
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

import "server-only";
import { MAX_PAGE_SIZE } from "#contract/pagination.ts";
import { requireSeller } from "#lib/auth/require-seller.ts";
import type { Catalogue, CatalogueProduct } from "./queries.ts";

const MOST_PAGES = 20;

/** Every product of the seller, newest first. Pages are asked for by number: `next` is not followed. */
export async function getCatalogue(): Promise<Catalogue> {
  const { billing } = await requireSeller("products:read");
  const products: CatalogueProduct[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { results, next } = await billing.listProducts({ page, page_size: MAX_PAGE_SIZE });
    for (const { product_id, name, vat, plan } of results) {
      products.push({ product_id, name, vat, plan });
    }
    if (next === null) return { products, is_complete: true };
  }
  return { products, is_complete: false };
}

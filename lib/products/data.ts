import "server-only";
import type { Product } from "#contract/products.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { serviceDay } from "#lib/billing/service-clock.ts";
import { scanListPages } from "#lib/billing/scan-pages.ts";
import { database } from "#lib/db/pool.ts";
import { readAmounts } from "#lib/search-index/query/listed-amounts.ts";
import type { Amounts } from "#lib/money/price.ts";
import type { Catalogue, ProductList, ProductRecord } from "./queries.ts";

const MOST_PAGES = 20;

/** Every product of the seller as far as creating a subscription needs it, newest first. */
export async function getCatalogue(scope: Scope): Promise<Catalogue> {
  const { products, is_complete, today } = await listProducts(scope);
  return {
    products: products.map(({ product_id, name, is_active, vat, plan }) => ({
      product_id,
      name,
      is_active,
      vat,
      plan,
    })),
    is_complete,
    today,
  };
}

/** What each listed period asks for today, by the service's clock. */
export async function getAmounts(scope: Scope): Promise<Amounts> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  return readAmounts(database(), signedIn, await serviceDay(signedIn));
}

/** Every product of the seller with all its fields, newest first. */
export async function listProducts(scope: Scope): Promise<ProductList> {
  return readProducts(await requireSeller(scope, "products:read"), () => false);
}

/** Out of the list, because the service answers for no product alone. */
export async function getProduct(scope: Scope, product_id: string): Promise<ProductRecord> {
  const signedIn = await requireSeller(scope, "products:read");
  const isIt = (product: Product) => product.product_id === product_id;
  const { products, ...read } = await readProducts(signedIn, isIt);
  return { product: products.find(isIt) ?? null, ...read };
}

export async function readProducts(
  signedIn: Pick<SignedIn, "scope" | "billing" | "now" | "seller">,
  isEnough: (product: Product) => boolean,
): Promise<ProductList> {
  const [{ rows, next_page }, today] = await Promise.all([
    scanListPages((page) => signedIn.billing.listProducts(page), { most: MOST_PAGES, isEnough }),
    serviceDay(signedIn),
  ]);
  // By id: a product made meanwhile moves others onto the next page.
  const products = new Map(rows.map((product) => [product.product_id, product]));
  return { products: [...products.values()], is_complete: next_page === null, today };
}

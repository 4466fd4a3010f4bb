import "server-only";
import type { Product } from "#contract/products.ts";
import { requireSeller } from "#lib/auth/require-seller.ts";
import type { Scope } from "#lib/auth/scope.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { serviceDay } from "#lib/billing/service-clock.ts";
import { walkPages } from "#lib/billing/walk-pages.ts";
import { database } from "#lib/db/pool.ts";
import { readAmounts } from "#lib/mirror/to-pay.ts";
import type { Amounts } from "#lib/price.ts";
import type { Catalogue, ProductList, ProductRecord } from "./queries.ts";

const MOST_PAGES = 20;

/** Every product of the seller as far as creating a subscription needs it, newest first. */
export async function getCatalogue(scope: Scope): Promise<Catalogue> {
  const { products, is_complete } = await listProducts(scope);
  return {
    products: products.map(({ product_id, name, is_active, vat, plan }) => ({
      product_id,
      name,
      is_active,
      vat,
      plan,
    })),
    is_complete,
  };
}

/** What each listed period asks for today, by the service's clock. */
export async function getAmounts(scope: Scope): Promise<Amounts> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  return readAmounts(database(), signedIn, await serviceDay(signedIn));
}

/** Every product of the seller with all its fields, newest first. */
export async function listProducts(scope: Scope): Promise<ProductList> {
  const { billing } = await requireSeller(scope, "products:read");
  return readProducts(billing, () => false);
}

/** Out of the list, because the service answers for no product alone. */
export async function getProduct(scope: Scope, product_id: string): Promise<ProductRecord> {
  const { billing } = await requireSeller(scope, "products:read");
  const isIt = (product: Product) => product.product_id === product_id;
  const { products, is_complete } = await readProducts(billing, isIt);
  return { product: products.find(isIt) ?? null, is_complete };
}

async function readProducts(
  billing: BillingClient,
  isEnough: (product: Product) => boolean,
): Promise<ProductList> {
  const { rows, next_page } = await walkPages((page) => billing.listProducts(page), {
    most: MOST_PAGES,
    isEnough,
  });
  // By id: a product made meanwhile moves others onto the next page.
  const products = new Map(rows.map((product) => [product.product_id, product]));
  return { products: [...products.values()], is_complete: next_page === null };
}

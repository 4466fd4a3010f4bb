import "server-only";
import type pg from "pg";
import { MAX_PAGE_SIZE } from "#contract/pagination.ts";
import type { Product } from "#contract/products.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Scope } from "#lib/scope.ts";
import { serviceDay } from "#lib/billing/service-clock.ts";
import { database } from "#lib/db/pool.ts";
import { readFromReplica } from "#lib/db/replica.ts";
import { readAmounts } from "#lib/search-index/query/listed-amounts.ts";
import { searchIndexedProducts } from "#lib/search-index/query/search-records.ts";
import type { Amounts } from "#lib/money/price.ts";
import type { ProductCatalogue, ProductList, ProductRecord } from "./queries.ts";

const MOST_PRODUCTS = 2_000;

/** Every product of the seller as far as creating a subscription needs it, newest first. */
export async function getCatalogue(scope: Scope): Promise<ProductCatalogue> {
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

/** From the list, because the API cannot be asked for one product. */
export async function getProduct(scope: Scope, product_id: string): Promise<ProductRecord> {
  const signedIn = await requireSeller(scope, "products:read");
  const isIt = (product: Product) => product.product_id === product_id;
  const { products, ...read } = await readProducts(signedIn, isIt);
  return { product: products.find(isIt) ?? null, ...read };
}

/** The API's first page; what does not fit on it comes from the index once that is filled. */
export async function readProducts(
  {
    billing,
    owner,
    ...asking
  }: Pick<SignedIn, "scope" | "billing" | "owner" | "now" | "seller">,
  isEnough: (product: Product) => boolean,
): Promise<ProductList> {
  const [{ results, next }, today] = await Promise.all([
    billing.listProducts({ page: 1, page_size: MAX_PAGE_SIZE }),
    serviceDay({ billing, ...asking }),
  ]);
  const is_complete = next === null;
  if (is_complete || results.some(isEnough)) return { products: results, is_complete, today };
  return { ...(await readFromReplica((pool) => addIndexed(pool, owner, results))), today };
}

/** @param newest the API's first page */
export async function addIndexed(
  pool: Pick<pg.Pool, "query" | "connect">,
  owner: KeyOwner,
  newest: Product[],
): Promise<Omit<ProductList, "today">> {
  const paging = { page: 1, page_size: MOST_PRODUCTS };
  const indexed = await searchIndexedProducts(pool, owner, "", paging);
  if (indexed.state !== "ready") return { products: newest, is_complete: false };
  const ids = new Set(newest.map(({ product_id }) => product_id));
  const others = indexed.results.filter(({ product_id }) => !ids.has(product_id));
  return { products: [...newest, ...others], is_complete: !indexed.has_next };
}

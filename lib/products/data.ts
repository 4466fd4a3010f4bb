import "server-only";
import type pg from "pg";
import type { AccountMovePreview } from "#contract/account.ts";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import type { Product, ProductPage } from "#contract/products.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import { serviceDay } from "#lib/billing/service-clock.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database, isStorableText } from "#lib/db/pool.ts";
import { failureOf, isMissing } from "#lib/failure.ts";
import { readFromReplica } from "#lib/db/replica.ts";
import { checkoutLookOf } from "#lib/format/checkout-look.ts";
import type { Amounts } from "#lib/money/price.ts";
import type { Scope } from "#lib/scope.ts";
import { readAmounts } from "#lib/search-index/query/owed.ts";
import {
  findIndexedProduct,
  listFromApiOrIndex,
  searchIndexedProducts,
} from "#lib/search-index/query/search-records.ts";
import { listedProductOf, requireCatalogueAccount, findCatalogueAccount } from "./account.ts";
import type {
  EditedProduct,
  ProductCatalogue,
  ProductList,
  ProductRecord,
  SharedLinks,
} from "./queries.ts";
import type { ProductSearch } from "./search.ts";

const MOST_PRODUCTS = 2_000;

/** Today's amount of each listed period, by the service's clock. */
export async function getAmounts(scope: Scope): Promise<Amounts> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  return readAmounts(database(), signedIn, await serviceDay(signedIn));
}

export async function listProducts(scope: Scope, search: ProductSearch): Promise<ProductList> {
  const signedIn = await requireSeller(scope, "products:read");
  const { billing, owner } = signedIn;
  const [{ page: _page, ...answer }, today] = await Promise.all([
    listFromApiOrIndex({
      isSupportedByApi: search.q === null || search.sale === "off",
      readApi: () =>
        search.sale === "off" ? listOffSale(owner, search) : billing.listProducts(search),
      readIndex: (pool) => searchIndexedProducts(pool, owner, search.q ?? "", search),
    }),
    serviceDay(signedIn),
  ]);
  return { ...answer, today };
}

async function listOffSale(owner: KeyOwner, search: ProductSearch): Promise<ProductPage> {
  const account = await requireCatalogueAccount(owner);
  const { results, ...page } = await account.listProducts(search, "off");
  return { ...page, results: results.map(listedProductOf) };
}

/**
 * Finds a product in the API's first page, else in the seller's own account or in the index: the
 * API cannot return a single product, and lists no product that is off sale.
 */
export async function getProduct(scope: Scope, product_id: string): Promise<ProductRecord> {
  const signedIn = await requireSeller(scope, "products:read");
  const { products, is_complete, today } = await readNewest(signedIn);
  const product =
    products.find((listed) => listed.product_id === product_id) ??
    (await findInAccount(signedIn.owner, product_id));
  if (product || is_complete || !isStorableText(product_id))
    return { product, is_complete, today };
  const indexed = await readFromReplica((pool) =>
    findIndexedProduct(pool, signedIn.owner, product_id),
  );
  return indexed.state === "ready"
    ? { product: indexed.results[0] ?? null, is_complete: true, today }
    : { product: null, is_complete: false, today };
}

async function findInAccount(owner: KeyOwner, product_id: string): Promise<Product | null> {
  const account = await findCatalogueAccount(owner);
  const product = await account?.readProduct(product_id).catch((error: unknown) => {
    if (failureOf(error).kind === "not_found") return null;
    throw error;
  });
  return product ? listedProductOf(product) : null;
}

/** @throws AppError `not_offered` where the catalogue cannot be changed here */
export async function getEditedProduct(
  scope: Scope,
  product_id: string,
): Promise<EditedProduct> {
  const signedIn = await requireSeller(scope, "products:write");
  const account = await requireCatalogueAccount(signedIn.owner);
  const [product, { periods }, profile, today] = await Promise.all([
    account.readProduct(product_id),
    account.readSubscribers(product_id),
    account.readProfile(),
    serviceDay(signedIn),
  ]);
  return { product, periods, look: checkoutLookOf(profile), today };
}

/** @throws AppError `not_offered` where the catalogue cannot be changed here */
export async function getSharedLinks(scope: Scope, product_id: string): Promise<SharedLinks> {
  const { owner } = await requireSeller(scope, "products:write");
  const account = await requireCatalogueAccount(owner);
  try {
    return { offered: await account.readSharedLinks(product_id) };
  } catch (error) {
    if (isMissing(error)) return { offered: null };
    throw error;
  }
}

/** Previews moving the subscribers of an archived billing period to its successor. */
export async function previewMove(scope: Scope, pbp_id: string): Promise<AccountMovePreview> {
  const { owner } = await requireSeller(scope, "products:write");
  return (await requireCatalogueAccount(owner)).previewMove(pbp_id);
}

/** Every product with the fields that creating a subscription needs, newest first. */
export async function getCatalogue(scope: Scope): Promise<ProductCatalogue> {
  return readProductCatalogue(await requireSeller(scope, "products:read"));
}

/** The API's first page, then older products from the index once it is filled. */
export async function readProductCatalogue(signedIn: Reader): Promise<ProductCatalogue> {
  const { today, ...newest } = await readNewest(signedIn);
  const { products, is_complete } = newest.is_complete
    ? newest
    : await readFromReplica((pool) =>
        addIndexedProducts(pool, signedIn.owner, newest.products),
      );
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

type Reader = Pick<SignedIn, "scope" | "billing" | "owner" | "now" | "seller">;

async function readNewest(reader: Reader) {
  const [{ results, next }, today] = await Promise.all([
    reader.billing.listProducts({ page: 1, page_size: MAX_PAGE_SIZE }),
    serviceDay(reader),
  ]);
  return { products: results, is_complete: next === null, today };
}

/** @param newest the API's first page */
export async function addIndexedProducts(
  pool: Pick<pg.Pool, "query" | "connect">,
  owner: KeyOwner,
  newest: Product[],
): Promise<{ products: Product[]; is_complete: boolean }> {
  const paging = { page: 1, page_size: MOST_PRODUCTS };
  const indexed = await searchIndexedProducts(pool, owner, "", paging);
  if (indexed.state !== "ready") return { products: newest, is_complete: false };
  const ids = new Set(newest.map(({ product_id }) => product_id));
  const others = indexed.results.filter(({ product_id }) => !ids.has(product_id));
  return { products: [...newest, ...others], is_complete: !indexed.has_next };
}

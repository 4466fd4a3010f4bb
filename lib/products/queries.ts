import { queryOptions, type QueryClient } from "@tanstack/react-query";
import type {
  AccountMovePreview,
  AccountProduct,
  ProductSubscribers,
} from "#contract/account.ts";
import type { Product, SharedLinkList } from "#contract/products.ts";
import type { CheckoutLook } from "#lib/format/checkout-look.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import { refetchList, type ListAnswer } from "#lib/list-answer.ts";
import type { Amounts, PriceNotice } from "#lib/money/price.ts";
import { readRoute } from "#lib/query/fetch-json.ts";
import { productQueryString, type ProductSearch } from "./search.ts";

/** The fields that choosing a period and its price needs. */
export type CatalogueProduct = Pick<
  Product,
  "product_id" | "name" | "is_active" | "vat" | "plan"
>;

export interface ProductCatalogue {
  products: CatalogueProduct[];
  /**
   * Whether all products are included; false while the index of a seller with many products is not
   * filled yet.
   */
  is_complete: boolean;
  /** The seller's day by the service's clock, YYYY-MM-DD: decides which offers are active. */
  today: string;
}

export interface ProductList extends ListAnswer<Product> {
  today: string;
}

export interface ProductRecord {
  /** The product; null if neither the API's first page, the seller's account nor the index has it. */
  product: Product | null;
  /** Without a product: whether all products were searched, which can need a filled index. */
  is_complete: boolean;
  today: string;
}

/** Prefix of all queries for products. */
export const productsKey = (scope: Scope) => [scope, "products"] as const;

export const catalogueQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "products", "catalogue"] as const,
    queryFn: readRoute<ProductCatalogue>(scope, "/products/catalogue"),
  });

/** Milliseconds for which amounts count as fresh; they change with the day and the catalogue. */
const AMOUNTS_MS = 5 * 60_000;

export const amountsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "products", "amounts"] as const,
    queryFn: readRoute<Amounts>(scope, "/products/amounts"),
    staleTime: AMOUNTS_MS,
  });

const listKey = (scope: Scope) => [scope, "products", "list"] as const;

export const productsQuery = (scope: Scope, search: ProductSearch) =>
  queryOptions({
    queryKey: [...listKey(scope), search] as const,
    queryFn: readRoute<ProductList>(scope, `/products${productQueryString(search)}`),
    refetchInterval: refetchList,
  });

export const productQuery = (scope: Scope, product_id: string) =>
  queryOptions({
    queryKey: [scope, "products", "record", product_id] as const,
    queryFn: readRoute<ProductRecord>(
      scope,
      `/products/record/${encodeURIComponent(product_id)}`,
    ),
  });

/** A product as its editor shows it. */
export interface EditedProduct {
  product: AccountProduct;
  /** Every billing period, also archived ones. */
  periods: ProductSubscribers["periods"];
  look: CheckoutLook;
  today: string;
}

export const editedProductQuery = (scope: Scope, product_id: string) =>
  queryOptions({
    queryKey: [scope, "products", "edited", product_id] as const,
    queryFn: readRoute<EditedProduct>(
      scope,
      `/products/edited/${encodeURIComponent(product_id)}`,
    ),
  });

/** The shared links of a product; null where the billing service has none. */
export interface SharedLinks {
  offered: SharedLinkList | null;
}

export const sharedLinksQuery = (scope: Scope, product_id: string) =>
  queryOptions({
    queryKey: [scope, "products", "shared-links", product_id] as const,
    queryFn: readRoute<SharedLinks>(
      scope,
      `/products/shared-links/${encodeURIComponent(product_id)}`,
    ),
  });

/** @param pbp_id an archived billing period */
export const moveQuery = (scope: Scope, pbp_id: string) =>
  queryOptions({
    queryKey: [scope, "products", "move", pbp_id] as const,
    queryFn: readRoute<AccountMovePreview>(
      scope,
      `/products/move/${encodeURIComponent(pbp_id)}`,
    ),
    staleTime: 0,
  });

/** The buyers to tell of a move, as recipients of an outreach. */
export interface MoveNotices {
  /** The number of buyers; at most the first 1,000 are listed. */
  total: number;
  recipients: NoticeRecipient[];
}

export interface NoticeRecipient {
  /** The id of the subscription. */
  id: string;
  name: string;
  /** The last contact; null for none. */
  seen: string | null;
  notice: PriceNotice;
}

/** @param pbp_id the archived billing period whose subscribers move */
export const moveNoticesPath = (scope: Scope, product_id: string, pbp_id: string): string =>
  apiPath(
    scope,
    `/products/notices/${encodeURIComponent(product_id)}?${new URLSearchParams({ pbp_id })}`,
  );

/**
 * The product from a list that this tab has loaded, shown while the record itself is being read.
 */
export function findListedProduct(
  client: QueryClient,
  scope: Scope,
  id: string,
): ProductRecord | undefined {
  for (const list of loadedLists(client, scope)) {
    const product = list.results.find(({ product_id }) => product_id === id);
    if (product) return { product, is_complete: true, today: list.today };
  }
  return undefined;
}

/** All products that this tab has loaded; some can be repeated. */
export function listedProducts(client: QueryClient, scope: Scope): CatalogueProduct[] {
  const catalogue = client.getQueryData(catalogueQuery(scope).queryKey);
  const listed = loadedLists(client, scope).flatMap(({ results }) => results);
  return [...listed, ...(catalogue?.products ?? [])];
}

function loadedLists(client: QueryClient, scope: Scope): ProductList[] {
  const lists = client.getQueriesData<ProductList>({ queryKey: listKey(scope) });
  return lists.flatMap(([, list]) => list ?? []);
}

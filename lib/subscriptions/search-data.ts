import "server-only";
import type { Customer } from "#contract/customers.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { can } from "#lib/auth/permissions.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { readMuch } from "#lib/db/replica.ts";
import { readFacets, type Facet } from "#lib/search-index/query/facets.ts";
import type { Paging } from "#lib/paging.ts";
import {
  searchCustomers,
  searchProducts,
  searchSubscriptions,
  searchSubscriptionsOf,
} from "#lib/search-index/query/subscription-query.ts";
import type { Findings, Found, FoundRecords } from "./search-queries.ts";
import { parseFindSearch, type FindSearch } from "./list-search.ts";

/** In the copy, by words and by what the API cannot be asked for. */
export async function findSubscriptions(
  scope: Scope,
  search: FindSearch,
  words: string,
): Promise<Found<Subscription>> {
  const { owner, seller } = await requireSeller(scope, "subscriptions:read");
  const question = { search, words, time_zone: seller.time_zone };
  return readMuch((pool) => searchSubscriptions(pool, owner, question));
}

/** All that bear the phone of this customer, the newest first; null while the copy cannot tell. */
export async function findSubscriptionsOf(
  scope: Scope,
  customer_id: string,
  paging: Paging,
): Promise<Findings<Subscription> | null> {
  const { owner } = await requireSeller(scope, "subscriptions:read");
  return readMuch((pool) => searchSubscriptionsOf(pool, owner, customer_id, paging));
}

export async function findCustomers(
  scope: Scope,
  words: string,
  paging: Paging,
): Promise<Found<Customer>> {
  const { owner } = await requireSeller(scope, "customers:read");
  return readMuch((pool) => searchCustomers(pool, owner, words, paging));
}

const OF_EACH: Paging = { page: 1, page_size: 5 };

/** Some of each kind that this person may see, for the palette; none while the copy cannot be asked. */
export async function findRecords(scope: Scope, words: string): Promise<FoundRecords> {
  const { owner, role, seller } = await requireSeller(scope, "subscriptions:read");
  const search = { ...parseFindSearch({}), ...OF_EACH };
  const [subscriptions, customers, products] = await readMuch((pool) =>
    Promise.all([
      searchSubscriptions(pool, owner, { search, words, time_zone: seller.time_zone }),
      can(role, "customers:read") ? searchCustomers(pool, owner, words, OF_EACH) : null,
      can(role, "products:read") ? searchProducts(pool, owner, words, OF_EACH) : null,
    ]),
  );
  return {
    subscriptions: rowsOf(subscriptions),
    customers: rowsOf(customers),
    products: rowsOf(products),
  };
}

const rowsOf = <Row>(found: Found<Row> | null): Row[] =>
  found?.state === "ready" && !found.is_near ? found.results : [];

/** The products and plans of which the copy has subscriptions so far. */
export async function listFacets(scope: Scope): Promise<Facet[]> {
  const { owner } = await requireSeller(scope, "subscriptions:read");
  return readMuch((pool) => readFacets(pool, owner));
}

import type { QueryClient } from "@tanstack/react-query";
import { can, type Role } from "#lib/auth/permissions.ts";
import type { Scope } from "#lib/scope.ts";
import { listedCustomers } from "#lib/customers/queries.ts";
import { matchRank } from "#lib/text/match-text.ts";
import { catalogueQuery, productsQuery } from "#lib/products/queries.ts";
import { searchProducts } from "#lib/products/search.ts";
import { listedSubscriptions, type FoundRecords } from "#lib/subscriptions/queries.ts";
import { describeCustomer, describeProduct, describeSubscription } from "./record-names.ts";
import type { RecentRecord } from "./recent-records.ts";

const MOST = 5;

/** Matches among the records that this tab has already loaded; sends no request. */
export function findKnownRecords(
  client: QueryClient,
  { scope, role }: { scope: Scope; role: Role },
  typed: string,
): RecentRecord[] {
  const words = typed.trim();
  if (words.length < 2) return [];
  const customers = can(role, "customers:read")
    ? listedCustomers(client, scope).map(describeCustomer)
    : [];
  const products = can(role, "products:read") ? listedProducts(client, scope) : [];
  const subscriptions = listedSubscriptions(client, scope).map(describeSubscription);
  const isMatch = (record: RecentRecord) => matchRank(record, words) > 0;
  return [
    ...first(customers.filter(isMatch)),
    ...first(subscriptions.filter(isMatch)),
    ...first(searchProducts(products, words).map(describeProduct)),
  ];
}

/** Matches from the search index. */
export function recordsFromIndex(found: FoundRecords): RecentRecord[] {
  return [
    ...found.customers.map(describeCustomer),
    ...found.subscriptions.map(describeSubscription),
    ...found.products.map(describeProduct),
  ];
}

/** Merges lists without duplicates and limits each kind. */
export function mergeRecords(...lists: RecentRecord[][]): RecentRecord[] {
  const all = [...new Map(lists.flat().map((one) => [`${one.kind} ${one.id}`, one])).values()];
  const kinds = ["customer", "subscription", "product"] as const;
  return kinds.flatMap((kind) => all.filter((one) => one.kind === kind).slice(0, MOST));
}

function listedProducts(client: QueryClient, scope: Scope) {
  return (
    client.getQueryData(productsQuery(scope).queryKey)?.products ??
    client.getQueryData(catalogueQuery(scope).queryKey)?.products ??
    []
  );
}

/** The same record may be in several lists. */
function first(records: RecentRecord[]): RecentRecord[] {
  return [...new Map(records.map((record) => [record.id, record])).values()].slice(0, MOST);
}

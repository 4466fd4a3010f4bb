import "server-only";
import type pg from "pg";
import type { Customer } from "#contract/customers.ts";
import type { Product } from "#contract/products.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { readFromReplica } from "#lib/db/replica.ts";
import type { ListAnswer, Paging } from "#lib/list-answer.ts";
import { findRows, type RowQuery, type RowsFound } from "./find-rows.ts";
import { readIndexStatus, type IndexStatus } from "./index-status.ts";
import { searchTerms } from "./search-terms.ts";

type Pool = Pick<pg.Pool, "query" | "connect">;

/** One page of rows with their age, or why the index cannot answer. */
export type IndexAnswer<Row> =
  | (Extract<IndexStatus, { state: "ready" }> & RowsFound<Row>)
  | Exclude<IndexStatus, { state: "ready" }>;

export async function searchIndex<Row>(
  pool: Pool,
  owner: KeyOwner,
  query: RowQuery,
): Promise<IndexAnswer<Row>> {
  const status = await readIndexStatus(pool, owner);
  if (status.state !== "ready") return status;
  return { ...status, ...(await findRows<Row>(pool, owner, query)) };
}

export const searchCustomers = (pool: Pool, owner: KeyOwner, text: string, paging: Paging) =>
  searchIndex<Customer>(pool, owner, {
    list: "customers",
    terms: searchTerms(text),
    order: null,
    paging,
  });

export const searchIndexedProducts = (
  pool: Pool,
  owner: KeyOwner,
  text: string,
  paging: Paging,
) =>
  searchIndex<Product>(pool, owner, {
    list: "products",
    terms: searchTerms(text),
    order: null,
    paging,
  });

/** A page as the API lists it. */
interface ApiPage<Row> {
  results: Row[];
  count: number | null;
  next: string | null;
}

/**
 * The API answers what it supports, the index the rest. While the index is being filled, the API's own
 * page stands in for it, and the answer says so.
 */
export async function listFrom<Row, Page extends ApiPage<Row>>({
  isSupportedByApi,
  readApi,
  readIndex,
}: {
  isSupportedByApi: boolean;
  readApi: () => Promise<Page>;
  readIndex: (pool: Pool) => Promise<IndexAnswer<Row>>;
}): Promise<ListAnswer<Row> & { page: Page | null }> {
  const answer = isSupportedByApi ? null : await readFromReplica(readIndex);
  if (answer?.state === "ready") {
    const { state: _state, as_of, age_s, ...rows } = answer;
    return { ...rows, source: { kind: "index", as_of, age_s }, absence: null, page: null };
  }
  const page = await readApi();
  return {
    results: page.results,
    count: page.count,
    is_capped: false,
    has_next: page.next !== null,
    is_near: false,
    source: { kind: "api", as_of: new Date().toISOString(), age_s: 0 },
    absence: answer,
    page,
  };
}

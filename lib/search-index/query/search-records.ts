import "server-only";
import { queryRow } from "#contract/process/database.ts";
import type pg from "pg";
import { phoneKey, type PhoneHome } from "#contract/phone-number.ts";
import { phoneSpellings } from "#contract/process/phone-number.ts";
import type { Customer } from "#contract/customers.ts";
import type { Product } from "#contract/products.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { readFromReplica } from "#lib/db/replica.ts";
import type { ListAnswer, Paging } from "#lib/list-answer.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { singleRow, type Database } from "#lib/db/pool.ts";
import { findRows, type RowQuery, type FoundRows } from "./find-rows.ts";
import { type IndexStatus, readIndexStatus } from "./index-status.ts";
import { prefixesOf } from "#lib/text/search-text.ts";
import { termPrefix } from "#lib/search-index/records/terms.ts";
import { tagConditions } from "./conditions.ts";
import { searchTerms, type SearchTerm } from "./search-terms.ts";

type Pool = Pick<pg.Pool, "query" | "connect">;

/** One page of rows with their age, or why the index cannot answer. */
export type IndexAnswer<Row> =
  | (Extract<IndexStatus, { state: "ready" }> & FoundRows<Row>)
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

/** A page of the customers, of those with a tag if there is one. */
type CustomerPage = Paging & { tag?: string | null };

export const searchCustomers = async (
  pool: Pool,
  owner: KeyOwner,
  words: string,
  page: CustomerPage,
): Promise<IndexAnswer<Customer>> =>
  searchIndex(pool, owner, await indexedCustomerQuery(pool, owner, words, page));

/** The query that finds customers by name, contact and notes. */
export async function indexedCustomerQuery(
  db: Database,
  owner: KeyOwner,
  words: string,
  { tag = null, ...paging }: CustomerPage,
): Promise<RowQuery> {
  const terms = searchTerms(words);
  return {
    list: "customers",
    conditions: await tagConditions(db, owner, tag),
    terms,
    noted: await findNotedPhones(db, owner, terms),
    order: null,
    paging,
  };
}

/** The most customers whom a search finds by their notes; always the same ones, so that pages agree. */
const MOST_NOTED = 5_000;

/** The phone keys of customers with a note in which every term is the beginning of a word. */
export async function findNotedPhones(
  db: Database,
  { seller_id, mode }: KeyOwner,
  terms: readonly SearchTerm[],
): Promise<string[]> {
  if (terms.length === 0) return [];
  const prefix = termPrefix({ seller_id, mode });
  const quoted = (head: string) => `'${(prefix + head).replace(/['\\]/g, "$&$&")}':*`;
  const asked = terms.map(({ letters }) => `(${prefixesOf(letters).map(quoted).join(" | ")})`);
  const { rows } = await db.query<{ phone_key: string }>(
    `select distinct phone_key from customer_note
      where seller_id = $1 and mode = $2 and words @@ $3::tsquery
      order by phone_key limit ${MOST_NOTED}`,
    [seller_id, mode, asked.join(" & ")],
  );
  return rows.map(({ phone_key }) => phone_key);
}

/**
 * Finds products: first the one named as typed, then names that begin with the text, then those
 * that contain it.
 */
export function searchIndexedProducts(
  pool: Pool,
  owner: KeyOwner,
  text: string,
  paging: Paging,
): Promise<IndexAnswer<Product>> {
  return searchIndex(pool, owner, {
    list: "products",
    terms: searchTerms(text),
    order: null,
    rank(bind) {
      const typed = `lower(${bind(text.trim().replace(/\s+/g, " "))})`;
      const name = "lower(record->>'name')";
      return `3 - (${name} = ${typed})::integer - starts_with(${name}, ${typed})::integer
        - (strpos(${name}, ${typed}) > 0)::integer`;
    },
    paging,
  });
}

/** The product with this id: no result if the index does not have it. */
export const findIndexedProduct = (pool: Pool, owner: KeyOwner, product_id: string) =>
  searchIndex<Product>(pool, owner, {
    list: "products",
    conditions: [(bind) => `id = ${bind(product_id)}`],
    terms: [],
    order: null,
    paging: { page: 1, page_size: 1 },
  });

interface ApiPage<Row> {
  results: Row[];
  count: number | null;
  next: string | null;
}

/**
 * Reads a list from the API if it supports the search, else from the index; while the index fills,
 * reads the API's page instead.
 */
export async function listFromApiOrIndex<Row, Page extends ApiPage<Row>>({
  isSupportedByApi,
  readApi,
  readIndex,
}: {
  isSupportedByApi: boolean;
  readApi: () => Promise<Page>;
  /** Reads the index; null if the index does not have the requested record. */
  readIndex: (pool: Pool) => Promise<IndexAnswer<Row> | null>;
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

/**
 * The newest customer with this phone number, in any spelling; null while the index cannot answer.
 * @param home the seller's country, to which numbers without a calling code belong
 */
export async function findIndexedCustomer(
  pool: Pick<pg.Pool, "query" | "connect">,
  owner: KeyOwner,
  phone: string,
  home: PhoneHome,
): Promise<{ customer: Customer | null } | null> {
  const keys = phoneSpellings(phoneKey(phone), home);
  const answer = await searchIndex<Customer>(pool, owner, {
    list: "customers",
    conditions: [(bind) => `phone_key = any(${bind(keys)}) and phone_key <> ''`],
    terms: [],
    order: null,
    paging: { page: 1, page_size: 1 },
  });
  return answer.state === "ready" ? { customer: answer.results[0] ?? null } : null;
}

interface IndexedBefore {
  /** The record before that time; null if it was read again since. */
  before: Subscription | null;
}

/** The subscription, if the index had it before a time by readClock. */
export async function findIndexedBefore(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { subscription_id, asked_at }: { subscription_id: string; asked_at: string },
): Promise<IndexedBefore | null> {
  // A sync may read it again at any time; first_seen_at does not change.
  return queryRow<IndexedBefore>(
    db,
    `select case when asked_at < $4::timestamptz then record end as before
       from mirror_subscription
      where seller_id = $1 and mode = $2 and id = $3 and first_seen_at < $4::timestamptz`,
    [seller_id, mode, subscription_id, asked_at],
  );
}

/** The different phone keys of these subscriptions, as far as they are indexed. */
export async function findPhonesOf(
  db: Database,
  { seller_id, mode }: KeyOwner,
  subscription_ids: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ phones: string[] }>(
    `select coalesce(array_agg(distinct phone_key), '{}') as phones from mirror_subscription
      where seller_id = $1 and mode = $2 and id = any($3) and phone_key <> ''`,
    [seller_id, mode, subscription_ids],
  );
  return singleRow(rows).phones;
}

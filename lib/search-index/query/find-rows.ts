import "server-only";
import type pg from "pg";
import type { ListName } from "#lib/billing/observe.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { inTransaction, singleRow, type Database } from "#lib/db/pool.ts";
import type { Paging } from "#lib/list-answer.ts";
import { INDEXED_LISTS } from "#lib/search-index/records/lists.ts";
import {
  expandTerms,
  type SearchTerm,
  type SimilarTerm,
  similarTerms,
} from "./search-terms.ts";
import { Statement } from "./statement.ts";

/** Binds a value and returns its placeholder. */
export type Bind = (value: unknown) => string;

export interface RowQuery {
  list: ListName;
  /** Further SQL conditions. */
  conditions?: ((bind: Bind) => string)[];
  terms: SearchTerm[];
  /** Phone keys of rows that match even if their own words do not. */
  noted?: readonly string[];
  order: RowOrder | null;
  /** SQL number added to the terms' distance; smaller is better. */
  rank?: (bind: Bind) => string;
  paging: Paging;
}

/** Sort columns, all in one direction; a query without an order sorts by best match, then newest. */
export interface RowOrder {
  columns: readonly string[];
  isDescending: boolean;
  /** The first column may be null; nulls come last in either direction. */
  isNullable: boolean;
}

export interface FoundRows<Row> {
  results: Row[];
  count: number;
  is_capped: boolean;
  has_next: boolean;
  is_near: boolean;
}

/** The highest count; counting more rows takes too long. */
const MAX_COUNTED = 10_000;
/** The most matches that are ranked, because ranking reads each row. */
export const MAX_RANKED = 1_000;
/** The number of newest rows that are searched first, to recognise common terms. */
const MOST_PROBED = 2_000;
const FEWEST_PROBED = 10;
/** The most of the newest rows that are read for a page of common terms. */
const MOST_NEWEST = 20_000;
/** The number of newest rows among which similar names are compared. */
const MOST_COMPARED = 300;
const MOST_NEAR = 50;

/** A page of rows; if nothing matches the terms exactly, one page of rows that sound similar. */
export async function findRows<Row>(
  pool: Pick<pg.Pool, "query" | "connect">,
  owner: KeyOwner,
  query: RowQuery,
): Promise<FoundRows<Row>> {
  const known = await expandQueryTerms(pool, owner, query);
  const found = await readPage<Row>(pool, owner, known);
  if (found.count > 0 || !hasPhoneticTerm(query)) return found;
  const results = await readSimilar<Row>(pool, owner, known);
  const count = results.length;
  return { results, count, is_capped: false, has_next: false, is_near: count > 0 };
}

/** The query with its terms expanded by known words. */
export const expandQueryTerms = async (
  db: Database,
  owner: KeyOwner,
  query: RowQuery,
): Promise<RowQuery> => ({ ...query, terms: await expandTerms(db, owner, query.terms) });

/** Whether any term can be matched by sound. */
export const hasPhoneticTerm = ({ terms }: RowQuery) =>
  terms.some(({ sound }) => sound !== null);

async function readPage<Row>(
  db: Database,
  owner: KeyOwner,
  query: RowQuery,
): Promise<FoundRows<Row>> {
  const { page_size } = query.paging;
  const common = await countCommon(db, owner, query);
  if (common !== null) return readCommon<Row>(db, owner, query, common);
  const ranked = query.terms.length > 0 ? await readRanked<Row>(db, owner, query) : null;
  const most = query.terms.length > 0 ? MAX_RANKED : MAX_COUNTED;
  const count = ranked?.count ?? (await countRows(db, owner, query));
  const isRanked = ranked !== null && count <= most;
  const offset = offsetOf(query.paging);
  const records = isRanked
    ? ranked.records
    : count > offset || count > most
      ? await readAlongIndex<Row>(db, owner, query)
      : [];
  return {
    results: records.slice(0, page_size),
    count: Math.min(count, most),
    is_capped: count > most,
    has_next: records.length > page_size,
    is_near: false,
  };
}

/** Whether few rows have the term: an email address, or many digits of a number or an id. */
const isSpecific = ({ sound, letters }: SearchTerm) =>
  sound === null && letters.length >= 6 && /[^@]@|\d{4}/.test(letters);

/**
 * Whether the terms are common: then a page of the newest matches is read along an index, uncounted.
 * @returns a lower bound of the count, null if there are few
 */
async function countCommon(
  db: Database,
  owner: KeyOwner,
  query: RowQuery,
): Promise<number | null> {
  if (query.terms.length === 0 || query.terms.some(isSpecific)) return null;
  const { list } = query;
  const table = indexTableOf(list);
  const { where, bind, values } = new Statement(owner, query);
  const { rows } = await db.query<{ count: number; total: number | null }>(
    `select count(*)::integer as count,
            (select total from mirror_round
              where seller_id = $1 and mode = $2 and list = ${bind(list)}) as total
       from ${newestRows(table, MOST_PROBED)}
      where ${where}`,
    values,
  );
  const { count, total } = singleRow(rows);
  const expected = (count / MOST_PROBED) * (total ?? 0);
  return count >= FEWEST_PROBED && expected > 2 * MAX_RANKED ? count : null;
}

export const indexTableOf = (list: ListName): string => INDEXED_LISTS[list].table;

async function readCommon<Row>(
  db: Database,
  owner: KeyOwner,
  query: RowQuery,
  count: number,
): Promise<FoundRows<Row>> {
  const { page_size } = query.paging;
  const records =
    (await readNewest<Row>(db, owner, query, count)) ??
    (await readAlongIndex<Row>(db, owner, query));
  const results = records.slice(0, page_size);
  const seen = offsetOf(query.paging) + results.length;
  const has_next = records.length > page_size;
  if (results.length > 0 && !has_next)
    return { results, count: seen, is_capped: false, has_next, is_near: false };
  const known = roundedDown(count);
  return {
    results,
    count: has_next ? Math.max(known, seen) : known,
    is_capped: true,
    has_next,
    is_near: false,
  };
}

/**
 * A page of matches, read from as many of the newest rows as should hold it: PostgreSQL itself would
 * often read and sort all matches.
 * @param count how many of the newest MOST_PROBED rows match
 * @returns null if these rows do not fill the page, or would be too many
 */
async function readNewest<Row>(
  db: Database,
  owner: KeyOwner,
  query: RowQuery,
  count: number,
): Promise<Row[] | null> {
  const { list, order, paging } = query;
  const page = limitOf(paging);
  const most = Math.ceil((offsetOf(paging) + page) * (MOST_PROBED / count) * 3);
  if (order !== null || most > MOST_NEWEST) return null;
  const inOrder = { ...query, order: { ...NEWEST_FIRST, isNullable: false } };
  const records = await readAlongIndex<Row>(
    db,
    owner,
    inOrder,
    newestRows(indexTableOf(list), most),
  );
  return records.length < page ? null : records;
}

/** SQL that stands for the table, with only its newest rows; $1 and $2 are the seller and the mode. */
const newestRows = (table: string, most: number) =>
  `(select * from ${table}
     where seller_id = $1 and mode = $2 and created_at is not null
     order by created_at desc, id desc limit ${most}) as ${table}`;

/** A number that the count exceeds, because "more than" must be true. */
const roundedDown = (count: number) => Math.floor((count - 1) / 10) * 10;

/** The count of matches, up to a maximum; for common terms, the lower bound that their list shows. */
export async function countMatches(
  db: Database,
  owner: KeyOwner,
  asked: RowQuery,
): Promise<Pick<FoundRows<never>, "count" | "is_capped">> {
  const most = asked.terms.length > 0 ? MAX_RANKED : MAX_COUNTED;
  const query = await expandQueryTerms(db, owner, asked);
  const common = await countCommon(db, owner, query);
  if (common !== null) return { count: roundedDown(common), is_capped: true };
  const count = await countRows(db, owner, query, most);
  return { count: Math.min(count, most), is_capped: count > most };
}

/** Counts matching rows, and stops at `most` + 1. */
async function countRows(
  db: Database,
  owner: KeyOwner,
  query: RowQuery,
  most = MAX_COUNTED,
): Promise<number> {
  const { whereOfTerms, values } = new Statement(owner, query);
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from
       (select 1 from ${indexTableOf(query.list)} where ${whereOfTerms} limit ${most + 1}) as found`,
    values,
  );
  return singleRow(rows).count;
}

/**
 * The number of rows to read: one more than the page shows, to know whether there is a next page.
 */
const limitOf = ({ page_size }: Paging) => page_size + 1;
const offsetOf = ({ page, page_size }: Paging) => (page - 1) * page_size;

/** Counts and sorts in one statement, because finding the rows is the slow part. */
async function readRanked<Row>(
  db: Database,
  owner: KeyOwner,
  query: RowQuery,
): Promise<{ count: number; records: Row[] }> {
  const { list, terms, order, rank, paging } = query;
  const table = indexTableOf(list);
  const statement = new Statement(owner, query);
  const columns = order
    ? order.columns.join(", ")
    : `${rank ? `${rank(statement.bind)} + ` : ""}${statement.distances(terms)} as distance, created_at`;
  const sorted = order ? sortedBy(order) : `distance, ${sortedBy(NEWEST_FIRST)}`;
  const { rows } = await db.query<{ count: number; record: Row | null }>(
    `with found as materialized
       (select id, ${columns} from ${table} where ${statement.whereOfTerms}
         limit ${MAX_RANKED + 1}),
     page as
       (select id, row_number() over (order by ${sorted}) as place
          from found order by place limit ${limitOf(paging)} offset ${offsetOf(paging)})
     select total.count, shown.record
       from (select count(*)::integer as count from found) as total
       left join (select t.record, page.place from page join ${table} as t
                      on t.seller_id = $1 and t.mode = $2 and t.id = page.id) as shown on true
      order by shown.place`,
    statement.values,
  );
  const records = rows.flatMap(({ record }) => (record === null ? [] : [record]));
  return { count: singleRow(rows.slice(0, 1)).count, records };
}

/** Reads a page along an index. */
async function readAlongIndex<Row>(
  db: Database,
  owner: KeyOwner,
  query: RowQuery,
  table = indexTableOf(query.list),
): Promise<Row[]> {
  const { where, values } = new Statement(owner, query);
  const { paging } = query;
  const order = query.order ?? NEWEST_FIRST;
  const page = `limit ${limitOf(paging)} offset ${offsetOf(paging)}`;
  const sql =
    order.isNullable && order.isDescending
      ? nullsLast(table, where, order, paging)
      : `select record from ${table} where ${where} order by ${sortedBy(order)} ${page}`;
  const { rows } = await db.query<{ record: Row }>(sql, values);
  return rows.map(({ record }) => record);
}

export const NEWEST_FIRST: RowOrder = {
  columns: ["created_at"],
  isDescending: true,
  isNullable: true,
};

/**
 * SQL that sorts with nulls last. A database index has them at one end, so a sort may be needed.
 */
export function sortedBy({ columns, isDescending, isNullable }: RowOrder): string {
  const direction = isDescending ? ` desc${isNullable ? " nulls last" : ""}` : "";
  return [...columns, "id"].map((column) => `${column}${direction}`).join(", ");
}

/**
 * SQL for rows with a value, then those without, each read along a database index; one sort would
 * read all rows.
 */
function nullsLast(table: string, where: string, order: RowOrder, paging: Paging): string {
  const [column = "id"] = order.columns;
  const last = offsetOf(paging) + limitOf(paging);
  const part = (number: 1 | 2, condition: string) =>
    `(select record, ${number} as part, ${column} as sorted, id from ${table}
       where ${where} and ${column} is ${condition}
       order by ${column} desc, id desc limit ${last})`;
  return `select record from (${part(1, "not null")} union all ${part(2, "null")}) as parts
           order by part, sorted desc, id desc
           limit ${limitOf(paging)} offset ${offsetOf(paging)}`;
}

/** Rows of similar names, most similar first, among the newest ones that match at all. */
export async function readSimilar<Row>(
  pool: Pick<pg.Pool, "connect">,
  owner: KeyOwner,
  query: RowQuery,
): Promise<Row[]> {
  return inTransaction(pool, async (client) => {
    const near: SimilarTerm[][] = [];
    for (const { sound } of query.terms)
      near.push(sound === null ? [] : await similarTerms(client, owner, sound));
    const statement = new Statement(owner, query, near);
    const similarity = near.map((words) => statement.similarity(words)).join(" + ");
    const sql = `select record from
        (select record, created_at, id, ${similarity} as similarity from ${indexTableOf(query.list)}
          where ${statement.where}
          order by created_at desc, id desc limit ${MOST_COMPARED}) as compared
       order by similarity desc, created_at desc nulls last, id desc limit ${MOST_NEAR}`;
    const { rows } = await client.query<{ record: Row }>(sql, statement.values);
    return rows.map(({ record }) => record);
  });
}

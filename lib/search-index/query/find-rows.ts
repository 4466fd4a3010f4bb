import "server-only";
import type pg from "pg";
import type { ListName } from "#lib/billing/observe.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { inTransaction, only, type Database } from "#lib/db/pool.ts";
import type { Paging } from "#lib/paging.ts";
import { INDEXED_LISTS } from "#lib/search-index/records/lists.ts";
import type { SearchTerm } from "./search-terms.ts";
import { Statement } from "./statement.ts";
import { expandTerms, similarTerms, type SimilarTerm } from "./known-terms.ts";

/** Puts a value into the statement and names its place. */
export type Bind = (value: unknown) => string;

export interface RowQuery {
  list: ListName;
  /** SQL that all must hold, beside the owner and the terms. */
  conditions?: ((bind: Bind) => string)[];
  terms: SearchTerm[];
  order: RowOrder | null;
  paging: Paging;
}

/** Columns that are sorted by, all in one direction; null for the nearest, then the newest. */
export interface RowOrder {
  columns: readonly string[];
  isDescending: boolean;
  /** The first column may be null; what has none of it comes last in either direction. */
  isNullable: boolean;
}

export interface RowsFound<Row> {
  results: Row[];
  count: number;
  is_capped: boolean;
  has_next: boolean;
  is_near: boolean;
}

/** Counting goes no further: beyond it a number helps nobody, and takes its time. */
export const MOST_COUNTED = 10_000;
/** What was typed is sorted by how well it fits while no more have it: each costs a look at its row. */
export const MOST_RANKED = 1_000;
/** Of the newest rows so many are looked at first: what many have is among them. */
const MOST_PROBED = 2_000;
const FEWEST_PROBED = 10;
/** Of a name that many have, the nearest of so many newest are taken. */
const MOST_COMPARED = 300;
const MOST_NEAR = 50;

/**
 * A page of the copied records of one seller and mode. When nothing has the terms as they were typed,
 * those that sound nearly so, as one page.
 */
export async function findRows<Row>(
  pool: Pick<pg.Pool, "query" | "connect">,
  owner: KeyOwner,
  query: RowQuery,
): Promise<RowsFound<Row>> {
  const known = await withKnownWords(pool, owner, query);
  const found = await readPage<Row>(pool, owner, known);
  if (found.count > 0 || !hasSound(query)) return found;
  const results = await readSimilar<Row>(pool, owner, known);
  const count = results.length;
  return { results, count, is_capped: false, has_next: false, is_near: count > 0 };
}

/** The same query by the words that the copy knows. */
export async function withKnownWords(
  db: Database,
  owner: KeyOwner,
  query: RowQuery,
): Promise<RowQuery> {
  return { ...query, terms: await expandTerms(db, owner, query.terms) };
}

/** Whether what sounds nearly so can be looked for. */
export const hasSound = ({ terms }: RowQuery) => terms.some(({ sound }) => sound !== null);

async function readPage<Row>(
  db: Database,
  owner: KeyOwner,
  query: RowQuery,
): Promise<RowsFound<Row>> {
  const { page, page_size } = query.paging;
  const common = await countCommon(db, owner, query);
  if (common !== null) return readCommon<Row>(db, owner, query, common);
  const ranked = query.terms.length > 0 ? await readRanked<Row>(db, owner, query) : null;
  const most = query.terms.length > 0 ? MOST_RANKED : MOST_COUNTED;
  const count = ranked?.count ?? (await countRows(db, owner, query));
  const isRanked = ranked !== null && count <= most;
  const offset = (page - 1) * page_size;
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

/**
 * Of what many rows have the newest are as good as any: their page is read along an index, and nobody
 * waits for the others to be counted. @returns how many there are at least, null where they are few
 */
async function countCommon(
  db: Database,
  owner: KeyOwner,
  query: RowQuery,
): Promise<number | null> {
  if (query.terms.length === 0) return null;
  const { list } = query;
  const { where, bind, values } = new Statement(owner, query);
  const { rows } = await db.query<{ count: number; total: number | null }>(
    `select count(*)::integer as count,
            (select total from mirror_round
              where seller_id = $1 and mode = $2 and list = ${bind(list)}) as total
       from (select * from ${tableOf(list)}
              where seller_id = $1 and mode = $2 and created_at is not null
              order by created_at desc, id desc limit ${MOST_PROBED}) as newest
      where ${where}`,
    values,
  );
  const { count, total } = only(rows);
  const expected = (count / MOST_PROBED) * (total ?? 0);
  return count >= FEWEST_PROBED && expected > 2 * MOST_RANKED ? count : null;
}

/** The table of a list's rows. */
export const tableOf = (list: ListName): string => INDEXED_LISTS[list].table;

async function readCommon<Row>(
  db: Database,
  owner: KeyOwner,
  query: RowQuery,
  count: number,
): Promise<RowsFound<Row>> {
  const { page_size } = query.paging;
  const records = await readAlongIndex<Row>(db, owner, query);
  const results = records.slice(0, page_size);
  const seen = offsetOf(query.paging) + results.length;
  const has_next = records.length > page_size;
  if (results.length > 0 && !has_next)
    return { results, count: seen, is_capped: false, has_next, is_near: false };
  // "More than" has to be true: of as many as were seen, without the last ones.
  const known = Math.floor((count - 1) / 10) * 10;
  return {
    results,
    count: has_next ? Math.max(known, seen) : known,
    is_capped: true,
    has_next,
    is_near: false,
  };
}

/** How many there are without looking at any, as far as counting goes for what is asked. */
export async function countFound(
  db: Database,
  owner: KeyOwner,
  asked: RowQuery,
): Promise<Pick<RowsFound<never>, "count" | "is_capped">> {
  const most = asked.terms.length > 0 ? MOST_RANKED : MOST_COUNTED;
  const query = await withKnownWords(db, owner, asked);
  const count = await countRows(db, owner, query, most);
  return { count: Math.min(count, most), is_capped: count > most };
}

/** One more than `most` when there are more. */
async function countRows(
  db: Database,
  owner: KeyOwner,
  query: RowQuery,
  most = MOST_COUNTED,
): Promise<number> {
  const { where, values } = new Statement(owner, query);
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from
       (select 1 from ${tableOf(query.list)} where ${where} limit ${most + 1}) as found`,
    values,
  );
  return only(rows).count;
}

/** One more than is shown: whether there is a next page. */
const limitOf = ({ page_size }: Paging) => page_size + 1;
const offsetOf = ({ page, page_size }: Paging) => (page - 1) * page_size;

/** Counted and sorted in one reading, because it is the finding that takes the time. */
async function readRanked<Row>(
  db: Database,
  owner: KeyOwner,
  query: RowQuery,
): Promise<{ count: number; records: Row[] }> {
  const { list, terms, order, paging } = query;
  const table = tableOf(list);
  const statement = new Statement(owner, query);
  const columns = order
    ? order.columns.join(", ")
    : `${statement.distances(terms)} as distance, created_at`;
  const sorted = order ? sortedBy(order) : `distance, ${sortedBy(NEWEST_FIRST)}`;
  const { rows } = await db.query<{ count: number; record: Row | null }>(
    `with found as materialized
       (select id, ${columns} from ${table} where ${statement.where} limit ${MOST_RANKED + 1}),
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
  return { count: only(rows.slice(0, 1)).count, records };
}

/** In the order of an index, which is read no further than the page. */
async function readAlongIndex<Row>(
  db: Database,
  owner: KeyOwner,
  query: RowQuery,
): Promise<Row[]> {
  const { where, values } = new Statement(owner, query);
  const { list, paging } = query;
  const table = tableOf(list);
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

/** A column that may be null comes down after all others only in the memory, not along an index. */
export function sortedBy({ columns, isDescending, isNullable }: RowOrder): string {
  const direction = isDescending ? ` desc${isNullable ? " nulls last" : ""}` : "";
  return [...columns, "id"].map((column) => `${column}${direction}`).join(", ");
}

/** In two parts, each along the index: sorted together they would all have to be read. */
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

/** The nearest first, of as many as may be compared. */
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
        (select record, created_at, id, ${similarity} as similarity from ${tableOf(query.list)}
          where ${statement.where}
          order by created_at desc, id desc limit ${MOST_COMPARED}) as compared
       order by similarity desc, created_at desc nulls last, id desc limit ${MOST_NEAR}`;
    const { rows } = await client.query<{ record: Row }>(sql, statement.values);
    return rows.map(({ record }) => record);
  });
}

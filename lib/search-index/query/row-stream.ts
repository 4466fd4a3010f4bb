import "server-only";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { setStatementTimeout, singleRow, type Database } from "#lib/db/pool.ts";
import { readIndexStatus, type IndexStatus } from "./index-status.ts";
import {
  hasPhoneticTerm,
  MAX_RANKED,
  NEWEST_FIRST,
  readSimilar,
  sortedBy,
  indexTableOf,
  expandQueryTerms,
  type RowQuery,
} from "./find-rows.ts";
import { Statement } from "./statement.ts";

type Ready = Extract<IndexStatus, { state: "ready" }>;

interface RowStream<Row> extends Ready {
  count: number;
  /** The rows in the order of the list; nothing is read until they are consumed. */
  batches: AsyncGenerator<Row[]>;
  /** Releases the connection at any time; may be called repeatedly. */
  close: () => Promise<void>;
}

const BATCH = 500;
/**
 * The statement timeout in milliseconds: sorting all rows before the first one can take longer than
 * a page may.
 */
const LONGEST_STEP = 60_000;

/**
 * All rows that findRows would page through, from one snapshot and by a cursor, so that memory stays
 * constant. Holds a connection until it is closed; none while the index cannot answer.
 */
export async function openRowStream<Row>(
  pool: Pick<pg.Pool, "connect">,
  owner: KeyOwner,
  asked: RowQuery,
  longestStep = LONGEST_STEP,
): Promise<RowStream<Row> | Exclude<IndexStatus, Ready>> {
  const connection = await pool.connect();
  const close = closing(connection);
  try {
    await connection.query("begin isolation level repeatable read read only");
    const client = await setStatementTimeout(connection, longestStep);
    const copy = await readIndexStatus(client, owner);
    const query = await expandQueryTerms(client, owner, asked);
    const count = copy.state === "ready" ? await countEvery(client, owner, query) : 0;
    if (copy.state === "ready" && (count > 0 || !hasPhoneticTerm(query))) {
      const batches = readBatches<Row>(client, cursors(owner, query, count));
      return { ...copy, count, batches, close };
    }
    await close();
    if (copy.state !== "ready") return copy;
    const near = await readSimilar<Row>(pool, owner, query);
    return { ...copy, count: near.length, batches: inOne(near), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Closes the transaction by a rollback, because it only reads. */
function closing(client: pg.PoolClient): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () =>
    (closed ??= client.query(ROLLBACK).then(
      () => client.release(),
      (error: Error) => client.release(error),
    ));
}

const UNDO = "rollback";
const ROLLBACK = { text: UNDO, query_timeout: 2_000 };

async function countEvery(client: Database, owner: KeyOwner, query: RowQuery): Promise<number> {
  const { where, values } = new Statement(owner, query);
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from ${indexTableOf(query.list)} where ${where}`,
    values,
  );
  return singleRow(rows).count;
}

interface Cursor {
  sql: string;
  values: unknown[];
}

/**
 * The queries to read one after the other; two if the database index has nulls at the other end.
 */
function cursors(owner: KeyOwner, query: RowQuery, count: number): Cursor[] {
  const { list, terms } = query;
  const table = indexTableOf(list);
  const cursor = (order: (statement: Statement) => string, condition = "true"): Cursor => {
    const statement = new Statement(owner, query);
    const sorted = order(statement);
    const sql = `select record from ${table} where ${statement.where} and ${condition}
                  order by ${sorted}`;
    return { sql, values: statement.values };
  };
  // As in the list, too many matches are not ranked.
  if (query.order === null && terms.length > 0 && count <= MAX_RANKED)
    return [cursor((statement) => `${statement.distances(terms)}, ${sortedBy(NEWEST_FIRST)}`)];
  const order = query.order ?? NEWEST_FIRST;
  if (!order.isNullable || !order.isDescending) return [cursor(() => sortedBy(order))];
  const [column = "id"] = order.columns;
  return [
    cursor(() => `${column} desc, id desc`, `${column} is not null`),
    cursor(() => "id desc", `${column} is null`),
  ];
}

async function* readBatches<Row>(client: Database, parts: Cursor[]): AsyncGenerator<Row[]> {
  for (const { sql, values } of parts) {
    await client.query(`declare every_row no scroll cursor for ${sql}`, values);
    for (;;) {
      const { rows } = await client.query<{ record: Row }>(`fetch ${BATCH} from every_row`);
      if (rows.length > 0) yield rows.map(({ record }) => record);
      if (rows.length < BATCH) break;
    }
    await client.query("close every_row");
  }
}

async function* inOne<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows;
}

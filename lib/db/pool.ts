import "server-only";
import pg from "pg";
import {
  isSpent,
  KEEP_ALIVE_OPTIONS,
  ON_THE_WAY,
  STATEMENT_TIMEOUT,
} from "#contract/process/database-connections.ts";
import { env } from "#lib/env.ts";
import { tellAway } from "./away.ts";

/** What the functions over SQL ask for: the pool, or one connection inside a transaction. */
export type Database = Pick<pg.ClientBase, "query">;

interface PoolOptions {
  /** Off for what can be read again: nothing waits for the disk, which keeps the order of writes. */
  isDurable?: boolean;
  /** Milliseconds to wait for a connection. */
  connectWithin?: number;
  /** Milliseconds to wait for an answer, 0 for without end: longer than the server may take for one. */
  answersWithin?: number;
  /** Whoever reads it tells itself when it is away. */
  isReplica?: boolean;
}

/** Whoever holds a row or a table for longer keeps the database from this caller: it is away. */
const LOCK_TIMEOUT = 5_000;

export function createPool(
  connectionString: string,
  {
    isDurable = true,
    connectWithin = 5_000,
    answersWithin = KEEP_ALIVE_OPTIONS.query_timeout,
    isReplica = false,
  }: PoolOptions = {},
): pg.Pool {
  // Disks without moving heads read a row here and there as fast as rows side by side.
  const pool = new pg.Pool({
    ...KEEP_ALIVE_OPTIONS,
    query_timeout: answersWithin,
    connectionString,
    max: 10,
    connectionTimeoutMillis: connectWithin,
    statement_timeout: STATEMENT_TIMEOUT,
    lock_timeout: LOCK_TIMEOUT,
    options: `-c TimeZone=UTC -c random_page_cost=1.1${isDurable ? "" : " -c synchronous_commit=off"}`,
  });
  // The pool listens to idle ones only: one that is cut within a transaction would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  // Without a listener an idle connection that the server closes would end the process.
  pool.on("error", isReplica ? () => {} : tellAway);
  return pool;
}

// On globalThis, so that a module reloaded in development does not open a second pool.
const shared = globalThis as typeof globalThis & { duebookPool?: pg.Pool };

export function database(): pg.Pool {
  return (shared.duebookPool ??= createPool(env().DATABASE_URL));
}

/** The row of a statement that always returns one. */
export function only<Row>([row]: Row[]): Row {
  if (!row) throw new Error("the statement returned no row");
  return row;
}

/** The database's clock, as text: a Date would lose the microseconds that order answers. */
export async function readClock(db: Database): Promise<string> {
  const { rows } = await db.query<{ now: string }>("select clock_timestamp()::text as now");
  return only(rows).now;
}

/** Runs all of it or nothing of it, on one connection. */
export async function inTransaction<Value>(
  pool: Pick<pg.Pool, "connect">,
  run: (client: pg.PoolClient) => Promise<Value>,
): Promise<Value> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("begin");
    const value = await run(client);
    await client.query("commit");
    return value;
  } catch (error) {
    if (isSpent(error)) broken = error;
    else await client.query("rollback").catch((reason: Error) => (broken = reason));
    throw error;
  } finally {
    // A connection that is spent or cannot even roll back is closed instead of reused.
    client.release(broken);
  }
}

/** The same where a statement may take longer than a page waits. @param timeout milliseconds */
export function inPatientTransaction<Value>(
  pool: Pick<pg.Pool, "connect">,
  timeout: number,
  run: (client: Database) => Promise<Value>,
): Promise<Value> {
  return inTransaction(pool, async (client) => run(await setStatementTimeout(client, timeout)));
}

/** Lets each statement of the transaction that is open on it take so many milliseconds. */
export async function setStatementTimeout(client: Database, timeout: number): Promise<Database> {
  await client.query(
    "select set_config('statement_timeout', $1, true), set_config('lock_timeout', $1, true)",
    [`${timeout}ms`],
  );
  const query_timeout = timeout + ON_THE_WAY;
  const query = (text: string, values?: unknown[]) => {
    const statement = { text, ...(values && { values }), query_timeout };
    return client.query(statement);
  };
  return { query: query as Database["query"] };
}

/** The same for what clears a copy: a million records take some ten seconds to delete. */
export const inClearingTransaction = <Value>(
  pool: Pick<pg.Pool, "connect">,
  run: (client: Database) => Promise<Value>,
) => inPatientTransaction(pool, 5 * 60_000, run);

/** PostgreSQL takes no NUL in a text: nothing is kept under such an id. */
export const isKeepable = (id: string) => !id.includes("\0");

/** Whether a statement failed because what must be there once is there already. */
export const isTaken = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "23505";

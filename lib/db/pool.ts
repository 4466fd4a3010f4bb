import "server-only";
import pg from "pg";
import {
  inTransaction,
  KEEP_ALIVE_OPTIONS,
  CLIENT_TIMEOUT_MARGIN_MS,
  STATEMENT_TIMEOUT,
  WITHOUT_COMPILING,
} from "#contract/process/database.ts";
import { errorCode } from "#contract/process/log.ts";
import { env } from "#lib/env.ts";
import { logOutage } from "#lib/log.ts";

export { inTransaction } from "#contract/process/database.ts";

/** A pool, or one connection inside a transaction. */
export type Database = Pick<pg.ClientBase, "query">;

interface PoolOptions {
  /** False for data that can be read again: commits then do not wait for the disk. */
  isDurable?: boolean;
  /** Milliseconds to wait for a connection. */
  connectWithin?: number;
  /** Milliseconds to wait for a result, 0 for no limit; must exceed the statement timeout. */
  answersWithin?: number;
  /** Whether this is the replica, whose failures are logged elsewhere. */
  isReplica?: boolean;
}

/** Milliseconds to wait for a lock; then the database counts as unavailable. */
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
  // Lowers PostgreSQL's cost of random reads: on SSDs they cost as much as sequential ones.
  const pool = new pg.Pool({
    ...KEEP_ALIVE_OPTIONS,
    query_timeout: answersWithin,
    connectionString,
    max: 10,
    connectionTimeoutMillis: connectWithin,
    statement_timeout: STATEMENT_TIMEOUT,
    lock_timeout: LOCK_TIMEOUT,
    options: `-c TimeZone=UTC -c random_page_cost=1.1 ${WITHOUT_COMPILING}${isDurable ? "" : " -c synchronous_commit=off"}`,
  });
  // The pool handles errors of idle clients only; an error of a client in use would end the
  // process.
  pool.on("connect", (client) => client.on("error", () => {}));
  // Without a listener, an idle connection that the server closes would end the process.
  pool.on("error", isReplica ? () => {} : logOutage);
  return pool;
}

// On globalThis, so that a module reloaded in development does not open a second pool.
const shared = globalThis as typeof globalThis & { duebookPool?: pg.Pool };

export function database(): pg.Pool {
  return (shared.duebookPool ??= createPool(env().DATABASE_URL));
}

export function singleRow<Row>([row]: Row[]): Row {
  if (!row) throw new Error("the statement returned no row");
  return row;
}

/** The database's clock, as text: a Date would lose the microseconds that order responses. */
export async function readClock(db: Database): Promise<string> {
  const { rows } = await db.query<{ now: string }>("select clock_timestamp()::text as now");
  return singleRow(rows).now;
}

/** A transaction whose statements may run for `timeout` milliseconds, longer than a page waits. */
export function inLongTransaction<Value>(
  pool: Pick<pg.Pool, "connect">,
  timeout: number,
  run: (client: Database) => Promise<Value>,
): Promise<Value> {
  return inTransaction(pool, async (client) => run(await setStatementTimeout(client, timeout)));
}

/** Sets the timeouts of the open transaction, in milliseconds. @returns the client to use then */
export async function setStatementTimeout(
  client: Database,
  timeout: number,
): Promise<Database> {
  await client.query(
    "select set_config('statement_timeout', $1, true), set_config('lock_timeout', $1, true)",
    [`${timeout}ms`],
  );
  const query_timeout = timeout + CLIENT_TIMEOUT_MARGIN_MS;
  const query = (text: string, values?: unknown[]) => {
    const statement = { text, ...(values && { values }), query_timeout };
    return client.query(statement);
  };
  return { query: query as Database["query"] };
}

/** A long transaction to delete an index: a million records take about ten seconds. */
export const inDeleteTransaction = <Value>(
  pool: Pick<pg.Pool, "connect">,
  run: (client: Database) => Promise<Value>,
) => inLongTransaction(pool, 5 * 60_000, run);

/** The most rows that one statement deletes, so that it ends long before a page's timeout. */
const DELETED_AT_A_TIME = 10_000;

/**
 * Runs statements that each delete some rows, and commits each, so that no other statement waits
 * long for a lock.
 * @param text SQL that takes `$3` rows at most and returns how many it deleted; fewer than half of
 * `$3` end the run
 * @param beforeStep extends the lease under which the rows are deleted
 */
export async function deleteInSteps(
  pool: Pick<pg.Pool, "connect">,
  text: string,
  whose: readonly [seller_id: string, mode: string],
  beforeStep: () => Promise<unknown>,
): Promise<void> {
  let deleted: number;
  do {
    await beforeStep();
    const { rows } = await inDeleteTransaction(pool, (client) =>
      client.query<{ deleted: number }>(text, [...whose, DELETED_AT_A_TIME]),
    );
    ({ deleted } = singleRow(rows));
  } while (2 * deleted >= DELETED_AT_A_TIME);
}

/**
 * Deletes a seller's search index in steps, so that webhooks, which lock its row, are stored
 * meanwhile. The index counts as filling from the first step on, and its sync job waits. The caller
 * then begins another version of the index, which deletes what was stored meanwhile.
 */
export async function emptyIndex(
  pool: Pick<pg.Pool, "connect">,
  { seller_id, mode }: { seller_id: string; mode: string },
): Promise<void> {
  const whose = [seller_id, mode] as const;
  const { rows } = await inDeleteTransaction(pool, (client) =>
    client.query<{ claim: string | null }>("select begin_emptying_mirror($1, $2) as claim", [
      ...whose,
    ]),
  );
  const { claim } = singleRow(rows);
  if (claim === null) return;
  const step = "select empty_mirror_rows($1, $2, $3) as deleted";
  await deleteInSteps(pool, step, whose, () =>
    inDeleteTransaction(pool, (client) =>
      client.query("select go_on_emptying_mirror($1, $2, $3)", [...whose, claim]),
    ),
  );
}

/** Whether PostgreSQL can store the text: it accepts no NUL character. */
export const isStorableText = (id: string) => !id.includes("\0");

/** Whether a statement violated a unique constraint. */
export const isUniqueViolation = (error: unknown) => errorCode(error) === "23505";

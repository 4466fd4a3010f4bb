import pg from "pg";
import {
  inTransaction,
  KEEP_ALIVE_OPTIONS,
  STATEMENT_TIMEOUT,
  WITHOUT_COMPILING,
} from "#contract/process/database.ts";
import { nameOfWhole } from "./partitions.ts";

export { concernsRow, queryRow, queryRows, queryValue } from "#contract/process/database.ts";

export type Database = Pick<pg.Pool, "query">;

// Dates stay text (a date has no time zone); counts and sums become numbers.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.DATE, (text) => text);
types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * @param url a PostgreSQL URL; a Unix socket's folder goes into its `host` parameter
 * @param answersWithin milliseconds, 0 for no limit; a statement can set its own
 * `query_timeout`
 */
export function openPool(
  url: string,
  answersWithin = KEEP_ALIVE_OPTIONS.query_timeout,
): pg.Pool {
  const pool = new pg.Pool({
    ...KEEP_ALIVE_OPTIONS,
    query_timeout: answersWithin,
    connectionString: url,
    max: 20,
    types,
    connectionTimeoutMillis: 5_000,
    statement_timeout: STATEMENT_TIMEOUT,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 20_000,
    maxLifetimeSeconds: 600,
    // Every query here is an index lookup of one shape, so one plan fits all parameter values.
    options: `-c timezone=UTC -c plan_cache_mode=force_generic_plan ${WITHOUT_COMPILING}`,
  });
  pool.on("connect", (client) => {
    prepareStatements(client);
    // The pool only handles errors of idle connections; an error within a transaction would end
    // the process.
    client.on("error", () => {});
  });
  // A stopping server closes idle connections; without a listener that would end the process.
  pool.on("error", () => {});
  return pool;
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? `statement ${names.size + 1}`;
  names.set(text, name);
  return name;
}

type Query = (text: unknown, values: unknown, ...rest: unknown[]) => unknown;

/**
 * Names each query with parameters, so that a connection parses and plans it once (ADR 0003).
 * Query texts are constants of the program, so their number is limited.
 */
function prepareStatements(client: pg.PoolClient) {
  const query = client.query.bind(client) as Query;
  const prepared: Query = (text, values, ...rest) =>
    typeof text === "string" && Array.isArray(values)
      ? query({ name: nameOf(text), text, values }, undefined, ...rest)
      : query(text, values, ...rest);
  client.query = prepared as typeof client.query;
}

const DEADLOCK = "40P01";
const TRIES = 3;

/**
 * Commits the changes of `work`, or rolls all of them back and rethrows its error. On a
 * deadlock PostgreSQL ends one transaction, which then runs again: `work` must have no other
 * effects.
 */
export async function transaction<Result>(
  pool: pg.Pool,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1)
    try {
      return await inTransaction(pool, work);
    } catch (error) {
      const isDeadlock = error instanceof pg.DatabaseError && error.code === DEADLOCK;
      if (!isDeadlock || tries >= TRIES) throw error;
    }
}

/** Whether a write violated the unique index or constraint of that name. */
export function violatesConstraint(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === "23505" &&
    nameOfWhole(error.constraint) === constraint
  );
}

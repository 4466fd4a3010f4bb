import type pg from "pg";
import { errorCode, errorWithoutMessage, type LogFields } from "./log.ts";

/** Statement timeout of the server, in milliseconds. */
export const STATEMENT_TIMEOUT = 10_000;
/** Milliseconds the client waits beyond the statement timeout. */
export const CLIENT_TIMEOUT_MARGIN_MS = 2_500;

/**
 * A connection can die silently. Keep-alive probes watch idle connections; one whose answer
 * takes longer than the statement timeout allows is closed, and the caller gets an error (ADR
 * 0221).
 */
export const KEEP_ALIVE_OPTIONS = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  query_timeout: STATEMENT_TIMEOUT + CLIENT_TIMEOUT_MARGIN_MS,
};

/**
 * Without it, PostgreSQL compiles statements that it expects to be expensive, which can take seconds
 * while locks are held. Most statements here run for milliseconds.
 */
export const WITHOUT_COMPILING = "-c jit=off";

/** SQL: whether the last file of WAL that the server tried to archive could not be archived. */
export const IS_ARCHIVE_FAILING = `(
  select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false)
  from pg_stat_archiver)`;

const HOUR = 60 * 60_000;

/** A query that may take an hour: a migration, or one that waits for a lock. */
export const withoutQueryTimeout = (text: string, values?: unknown[]) => ({
  text,
  ...(values && { values }),
  query_timeout: HOUR,
});

/**
 * Whether the connection timed out or leads to a read-only replica, so that it must not be reused.
 */
export const isConnectionUnusable = (error: unknown): error is Error =>
  error instanceof Error &&
  (error.message === "Query read timeout" || errorCode(error) === "25006");

/** Commits the changes of `work`, or rolls all of them back and rethrows its error. */
export async function inTransaction<Result>(
  pool: Pick<pg.Pool, "connect">,
  work: (connection: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect();
  let broken: Error | undefined;
  try {
    await connection.query("begin");
    const result = await work(connection);
    await connection.query("commit");
    return result;
  } catch (error) {
    // Closing the connection ends its transaction too.
    if (isConnectionUnusable(error)) broken = error;
    else await connection.query("rollback").catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    // A broken connection is closed instead of reused.
    connection.release(broken);
  }
}

const MINUTE = 60_000;

// A pooler reports class 08 when it cannot reach the database; 25006 comes from a replica after
// a failover.
const SQL_STATES = /^(08\w{3}|57P0[1-3]|53[123]00|25006)$/;
// A server whose disk is full or broken also refuses new connections with these codes; a statement
// that fails with one may be wrong itself.
const REFUSALS = /^(XX000|58\w{3})$/;
const CONNECTION_CODES =
  /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|AI_AGAIN|(HOST|NET)(UNREACH|DOWN))$|^ENO(TFOUND|ENT)$/;
const DRIVER_MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|not queryable|query read timeout/i;

/**
 * Whether a statement failed because the database is unavailable, which affects every request,
 * and not because of its content.
 * @param error an error of the database driver; network errors of other clients look the same
 */
export function isOutage(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = errorCode(error);
  if (SQL_STATES.test(code)) return true;
  if (REFUSALS.test(code)) return "severity" in error && error.severity === "FATAL";
  // A missing file does not mean that a server is down.
  if (CONNECTION_CODES.test(code)) return !("syscall" in error && error.syscall === "open");
  return DRIVER_MESSAGES.test(error.message);
}

/**
 * Logs an unavailable database once a minute, with the cause and the number of further errors.
 * Callers get the error in their answer.
 */
export function limitedOutageLog(
  write: (msg: string, fields: LogFields) => void,
  now = Date.now,
): (error: unknown) => void {
  let loggedAt = -Infinity;
  let left_out = 0;
  return (error) => {
    if (now() - loggedAt < MINUTE) {
      left_out += 1;
      return;
    }
    const more = left_out > 0 ? { left_out } : {};
    write("the database is away", { ...causeOf(error), ...more });
    loggedAt = now();
    left_out = 0;
  };
}

/**
 * The driver's message, which quotes no value; a connection refused at several addresses has
 * none.
 */
const causeOf = (error: unknown) =>
  error instanceof Error
    ? { cause: error.message || undefined, fault: errorWithoutMessage(error) }
    : { cause: String(error) };

/**
 * Why a program must not use a database's tables, checked before it changes any; null if it
 * may.
 * @param applied the migrations applied to the database
 * @param known the program's own migrations, in order
 */
export function tablesProblem(applied: readonly string[], known: readonly string[]) {
  const strange = applied.filter((name) => !known.includes(name)).length;
  if (strange === 0) return null;
  // The first migration has the same name in every program.
  return known.slice(1).some((name) => applied.includes(name))
    ? `its tables are of a newer Duebook, which made ${strange} ${strange === 1 ? "change" : "changes"} that are unknown here. Start the newer one, or restore the backup from before it`
    : "it holds the tables of another program. Each needs a database of its own";
}

type Statement = [database: Pick<pg.ClientBase, "query">, text: string, values?: unknown[]];

export async function queryRows<Row extends pg.QueryResultRow>(
  ...[database, text, values = []]: Statement
): Promise<Row[]> {
  return (await database.query<Row>(text, values)).rows;
}

/** The first row, or null. */
export async function queryRow<Row extends pg.QueryResultRow>(
  ...statement: Statement
): Promise<Row | null> {
  return (await queryRows<Row>(...statement))[0] ?? null;
}

/** The first column of the first row, or null. */
export async function queryValue<Value>(...statement: Statement): Promise<Value | null> {
  const row = await queryRow<Record<string, Value>>(...statement);
  return Object.values(row ?? {})[0] ?? null;
}

/** Whether a statement finds or changes exactly one row. */
export async function concernsRow(
  ...[database, text, values = []]: Statement
): Promise<boolean> {
  return (await database.query(text, values)).rowCount === 1;
}

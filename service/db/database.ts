import pg from "pg";

/** What a store function needs: the pool, or one connection inside a transaction. */
export type Database = Pick<pg.Pool, "query">;

// Dates stay text (a date has no time zone), counts and sums are numbers.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.DATE, (text) => text);
types.setTypeParser(pg.types.builtins.INT8, Number);

/** @param url a PostgreSQL address; a Unix socket's folder goes into its `host` parameter. */
export function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    types,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 20_000,
    options: "-c timezone=UTC",
  });
  // A stopping server cuts idle connections; without a listener that ends the process.
  pool.on("error", () => {});
  return pool;
}

const DEADLOCK = "40P01";
const TRIES = 3;

/**
 * Commits what `work` did, or rolls all of it back and throws what it threw. Of two transactions
 * that wait for each other PostgreSQL ends one, which then runs again: `work` touches nothing else.
 */
export async function transaction<Result>(
  pool: pg.Pool,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1)
    try {
      return await attempt(pool, work);
    } catch (error) {
      const isDeadlock = error instanceof pg.DatabaseError && error.code === DEADLOCK;
      if (!isDeadlock || tries >= TRIES) throw error;
    }
}

async function attempt<Result>(
  pool: pg.Pool,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect();
  let broken: Error | undefined;
  try {
    await connection.query("begin");
    const result = await work(connection);
    await connection.query("commit");
    return result;
  } catch (error) {
    await connection.query("rollback").catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    connection.release(broken);
  }
}

/** True when a write hit the unique index or constraint of that name. */
export function violates(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === "23505" &&
    error.constraint === constraint
  );
}

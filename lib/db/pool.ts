import "server-only";
import pg from "pg";
import { env } from "#lib/env.ts";
import { logLine } from "#lib/log.ts";

/** What the functions over SQL ask for: the pool, or one connection inside a transaction. */
export type Database = Pick<pg.ClientBase, "query">;

export function createPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    options: "-c TimeZone=UTC",
  });
  // Without a listener an idle connection that the server closes would end the process.
  pool.on("error", (error) =>
    logLine(`an idle database connection was lost (${error.message})`),
  );
  return pool;
}

// On globalThis, so that a module reloaded in development does not open a second pool.
const shared = globalThis as typeof globalThis & { duebookPool?: pg.Pool };

export function database(): pg.Pool {
  return (shared.duebookPool ??= createPool(env().DATABASE_URL));
}

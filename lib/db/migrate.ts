import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { KEEP_ALIVE_OPTIONS, withoutHurry } from "#contract/process/database-connections.ts";
import { tablesProblem } from "#contract/tables.ts";
import type { Database } from "./pool.ts";

// Any fixed number: whoever migrates or seeds this database waits for the same lock.
const LOCK = 3_870_114;

// Not import.meta: the bundler moves this module away from the SQL beside it.
const DIRECTORY = join(process.cwd(), "lib/db/migrations");

/**
 * Brings the dashboard's database to the newest schema, in one transaction; processes that start
 * together wait for each other. `afterwards` runs in the same transaction.
 */
export async function migrateDashboard(
  databaseUrl: string,
  afterwards?: (client: pg.ClientBase) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({
    ...KEEP_ALIVE_OPTIONS,
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
  });
  // A server that stops meanwhile also rejects the query under way; this only keeps Node alive.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("begin");
    await client.query(withoutHurry("select pg_advisory_xact_lock($1)", [LOCK]));
    await applyMissing(client);
    await afterwards?.(client);
    await client.query("commit");
  } finally {
    await client.end();
  }
}

async function applyMissing(client: pg.ClientBase) {
  // Not "if not exists": that needs the right to make tables also where it exists.
  const { rows: none } = await client.query(
    "select 1 where to_regclass('schema_migration') is null",
  );
  if (none.length > 0)
    await client.query(
      `create table schema_migration (
         name text primary key, applied_at timestamptz not null default now())`,
    );
  for (const name of await listMissing(client)) {
    const text = await readFile(join(DIRECTORY, name), "utf8");
    await client.query(withoutHurry(text));
    await client.query("insert into schema_migration (name) values ($1)", [name]);
  }
}

/**
 * The migrations that the database has not had, in order; it has its record of them.
 * @throws where its tables are those of another program, or of a newer Duebook
 */
export async function listMissing(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>("select name from schema_migration");
  const applied = rows.map(({ name }) => name);
  const files = (await readdir(DIRECTORY)).filter((file) => file.endsWith(".sql")).sort();
  const problem = tablesProblem(applied, files);
  if (problem) throw new Error(problem);
  return files.filter((file) => !applied.includes(file));
}

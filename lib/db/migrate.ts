import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import {
  KEEP_ALIVE_OPTIONS,
  tablesProblem,
  withoutQueryTimeout,
} from "#contract/process/database.ts";
import type { Database } from "./pool.ts";

// Any fixed number: all migrations of this database wait for the same lock.
const LOCK = 3_870_114;

// Not import.meta, because the bundler moves this module away from its SQL files.
const DIRECTORY = join(process.cwd(), "lib/db/migrations");

/**
 * Migrates the dashboard's database in one transaction, and runs `afterwards` in another one, so that
 * other connections use the new tables meanwhile. Processes that start together wait for each other.
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
  // Without a listener, a server that stops would end the process; the query rejects anyway.
  client.on("error", () => {});
  await client.connect();
  try {
    for (const work of [applyMissing, afterwards]) {
      if (!work) continue;
      await client.query("begin");
      await client.query(withoutQueryTimeout("select pg_advisory_xact_lock($1)", [LOCK]));
      await work(client);
      await client.query("commit");
    }
  } finally {
    await client.end();
  }
}

async function applyMissing(client: pg.ClientBase) {
  // Without "if not exists", which needs the right to create tables even if the table exists.
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
    await client.query(withoutQueryTimeout(text));
    await client.query("insert into schema_migration (name) values ($1)", [name]);
  }
}

/**
 * The migrations to apply, in order.
 * @throws if the tables belong to another program or a newer Duebook
 */
export async function listMissing(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>("select name from schema_migration");
  const applied = rows.map(({ name }) => name);
  const files = (await readdir(DIRECTORY)).filter((file) => file.endsWith(".sql")).sort();
  const problem = tablesProblem(applied, files);
  if (problem) throw new Error(problem);
  return files.filter((file) => !applied.includes(file));
}

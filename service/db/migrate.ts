import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import {
  KEEP_ALIVE_OPTIONS,
  tablesProblem,
  withoutQueryTimeout,
} from "#contract/process/database.ts";

const FOLDER = join(import.meta.dirname, "migrations");
// A number that no other program uses on the same database.
const LOCK = 7_340_021;

/** Applies the missing migrations in order; processes that start together wait for each other. */
export async function migrateService(url: string): Promise<void> {
  const client = new pg.Client({
    ...KEEP_ALIVE_OPTIONS,
    connectionString: url,
    connectionTimeoutMillis: 5_000,
  });
  // A server that stops also rejects the running query; this handler only keeps Node alive.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(withoutQueryTimeout("select pg_advisory_lock($1)", [LOCK]));
    // Not "if not exists", which requires the right to create tables even if they exist.
    const { rows: none } = await client.query(
      "select 1 where to_regclass('schema_migration') is null",
    );
    if (none.length > 0)
      await client.query(
        "create table schema_migration (name text primary key, applied_at timestamptz not null default now())",
      );
    const { rows } = await client.query<{ name: string }>("select name from schema_migration");
    const applied = new Set(rows.map((row) => row.name));
    const files = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).sort();
    const problem = tablesProblem([...applied], files);
    if (problem) throw new Error(problem);
    for (const name of files.filter((file) => !applied.has(file))) {
      await client.query("begin");
      const text = await readFile(join(FOLDER, name), "utf8");
      await client.query(withoutQueryTimeout(text));
      await client.query("insert into schema_migration (name) values ($1)", [name]);
      await client.query("commit");
    }
  } finally {
    await client.end();
  }
}

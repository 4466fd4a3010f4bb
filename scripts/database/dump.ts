import { createReadStream, createWriteStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { ensureDirectory } from "../process/files.ts";
import { CommandFailure } from "../process/command.ts";
import { withClient } from "./client.ts";

interface Table {
  name: string;
  columns: string[];
}

interface Identity {
  table: string;
  column: string;
  /** The last id given out; null if none was. */
  last: string | null;
}

interface Manifest {
  taken_at: string;
  migrations: string[];
  tables: Table[];
  /** Backups of older versions lack it. */
  sequences?: Identity[];
}

const identifier = pg.escapeIdentifier;
const listOf = (columns: string[]) => columns.map((column) => identifier(column)).join(", ");

/** Writes every table of a database to a folder, from one snapshot, while others keep working. */
export async function dumpDatabase(url: string, folder: string): Promise<Manifest> {
  return withClient(url, async (client) => {
    await client.query("begin isolation level repeatable read read only");
    const { rows } = await client.query<{ name: string }>(
      "select name from schema_migration order by name",
    );
    const tables = await listTables(client);
    await ensureDirectory(folder, 0o700);
    for (const { name, columns } of tables)
      await pipeline(
        client.query(
          copyTo(`copy (select ${listOf(columns)} from ${identifier(name)}) to stdout`),
        ),
        createGzip(),
        createWriteStream(join(folder, `${name}.copy.gz`), { mode: 0o600 }),
      );
    const identities = await listIdentities(client);
    const sequences = identities.map(({ table, column, last }) => ({ table, column, last }));
    await client.query("commit");
    const migrations = rows.map((row) => row.name);
    const manifest = { taken_at: new Date().toISOString(), migrations, tables, sequences };
    await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest, null, 2), {
      mode: 0o600,
    });
    return manifest;
  });
}

/**
 * Loads such a folder into an empty database in one transaction: schema and rows of the time of the
 * dump; sequences continue as at the dump, and after the rows. Newer migrations run at the next start.
 * @param beforeKeeping runs before the commit; if it fails, everything is rolled back
 */
export async function loadDatabase(
  url: string,
  folder: string,
  migrationsFolder: string,
  beforeKeeping: () => Promise<unknown> = async () => {},
) {
  const text = await readFile(join(folder, "manifest.json"), "utf8").catch(() => null);
  if (text === null)
    throw new CommandFailure(`${folder} holds no backup: its manifest.json is missing.`);
  const manifest = readManifest(text);
  if (!manifest)
    throw new CommandFailure(
      `${folder} holds a damaged backup: its manifest.json cannot be read.`,
    );
  await withClient(url, async (client) => {
    if ((await listTables(client)).length > 0)
      throw new CommandFailure("the database is not empty; restore into an empty one.");
    await client.query("begin");
    // No timeout, because the commit waits for beforeKeeping.
    await client.query("set local idle_in_transaction_session_timeout = 0");
    await client.query(
      "create table schema_migration (name text primary key, applied_at timestamptz not null default now())",
    );
    for (const name of manifest.migrations)
      await client.query(await readMigration(migrationsFolder, name));
    // Triggers are off, because the rows that they made are in the backup too.
    for (const { name } of manifest.tables)
      await client.query(`alter table ${identifier(name)} disable trigger user`);
    for (const { name, columns } of manifest.tables)
      await pipeline(
        createReadStream(join(folder, `${name}.copy.gz`)),
        createGunzip(),
        client.query(copyFrom(`copy ${identifier(name)} (${listOf(columns)}) from stdin`)),
      );
    for (const { name } of manifest.tables)
      await client.query(`alter table ${identifier(name)} enable trigger user`);
    await restoreSequences(client, manifest.sequences ?? []);
    await beforeKeeping();
    await client.query("commit");
  });
}

function readManifest(text: string): Manifest | null {
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    return null;
  }
}

async function readMigration(folder: string, name: string): Promise<string> {
  return readFile(join(folder, name), "utf8").catch(() => {
    throw new CommandFailure(
      `the backup was made by a newer Duebook: there is no migration ${name} here.`,
    );
  });
}

/** Tables with their stored columns, each after the tables that it references. */
async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       and not a.attisdropped and a.attgenerated = ''
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
     group by c.relname order by c.relname`,
  );
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `select conrelid::regclass::text as "from", confrelid::regclass::text as "to"
     from pg_constraint where contype = 'f' and conrelid <> confrelid`,
  );
  const sorted: Table[] = [];
  const visit = (name: string) => {
    const table = tables.find((one) => one.name === name);
    if (!table || sorted.includes(table)) return;
    for (const reference of references)
      if (reference.from.replaceAll('"', "") === name) visit(reference.to.replaceAll('"', ""));
    sorted.push(table);
  };
  for (const { name } of tables) visit(name);
  return sorted;
}

async function listIdentities(client: pg.Client) {
  const { rows } = await client.query<Identity & { sequence: string }>(
    `select i.*, pg_sequence_last_value(i.sequence) as last from (
       select table_name as table, column_name as column,
         pg_get_serial_sequence(quote_ident(table_name), column_name)::regclass as sequence
       from information_schema.columns
       where table_schema = 'public' and is_identity = 'YES') i
     where i.sequence is not null`,
  );
  return rows;
}

/** Ids outlive their rows, as that of a reminder's step in the causes of messages. */
async function restoreSequences(client: pg.Client, known: Identity[]) {
  for (const { table, column, sequence } of await listIdentities(client)) {
    const last = known.find((one) => one.table === table && one.column === column)?.last;
    await client.query(
      `select setval($1::regclass, greatest($2::bigint,
         (select max(${identifier(column)}) from ${identifier(table)})))`,
      [sequence, last],
    );
  }
}

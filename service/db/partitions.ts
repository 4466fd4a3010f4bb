import pg from "pg";
import { KEEP_ALIVE_OPTIONS, withoutQueryTimeout } from "#contract/process/database.ts";

/** Tables that stay whole: a seller is found in them. */
const WHOLE = ["seller", "api_key", "directory", "payment_account"];

interface Key {
  name: string;
  kind: "primary key" | "unique";
  columns: string[];
}

interface Reference {
  name: string;
  table: string;
  columns: string[];
  to: string;
  toColumns: string[];
  onDelete: "" | "cascade" | "set null";
}

interface Table {
  name: string;
  /** What an insert can set: all but generated columns. */
  columns: string[];
  identities: string[];
  /** Storage parameters, such as fillfactor; null for none. */
  storage: string | null;
  keys: Key[];
  indexes: string[];
  triggers: string[];
  /** Functions whose bodies are bound to the table. */
  functions: string[];
  grants: string[];
}

/**
 * ADR 0192. Turns the tables of sellers into hash partitions by `seller_id`, with the seller first in
 * every key, all in one transaction that locks them. Tables that are partitioned already stay as
 * they are.
 * @param url of the tables' owner
 * @returns the names of the tables that were changed
 */
export async function partitionBySeller(url: string, partitions: number): Promise<string[]> {
  const client = new pg.Client({ ...KEEP_ALIVE_OPTIONS, connectionString: url });
  client.on("error", () => {});
  await client.connect();
  const run = (statement: string) => client.query(withoutQueryTimeout(statement));
  try {
    await run("begin");
    await run("set local maintenance_work_mem = '512MB'");
    const tables = await readTables(client);
    await requireSameNumber(client, partitions);
    const references = await readReferences(client, namesOf(tables));
    for (const { table, name } of references)
      await run(`alter table ${table} drop constraint ${name}`);
    for (const table of tables) for (const step of stepsOf(table, partitions)) await run(step);
    for (const reference of references) await run(referenceOf(reference, namesOf(tables)));
    await run("commit");
    for (const { name } of tables) await run(`analyze ${name}`);
    return namesOf(tables);
  } finally {
    await client.end();
  }
}

/**
 * The partitions of all tables are numbered alike, so that a seller's rows have the same number
 * everywhere.
 */
async function requireSameNumber(client: pg.Client, partitions: number) {
  const { rows } = await client.query<{ there: number }>(
    "select count(*)::int as there from pg_inherits where inhparent = 'subscription'::regclass",
  );
  const there = rows[0]?.there ?? 0;
  if (there > 0 && there !== partitions)
    throw new Error(
      `the tables have ${there} partitions already; that number cannot be changed`,
    );
}

const namesOf = (tables: Table[]) => tables.map(({ name }) => name);
const withSeller = (columns: string[]) =>
  columns.includes("seller_id") ? columns : ["seller_id", ...columns];

/** Stands between the name of a table or index and the number of a partition. */
const OF_PARTITION = "__p";

/** The name of the table's index or constraint that a partition's belongs to. */
export const nameOfWhole = (name: string | undefined) =>
  name?.replace(new RegExp(`${OF_PARTITION}\\d+$`), "");

function stepsOf({ name, ...table }: Table, partitions: number): string[] {
  const columns = table.columns.join(", ");
  const storage = table.storage === null ? "" : ` with (${table.storage})`;
  return [
    `alter table ${name} rename to ${name}__whole`,
    `create table ${name} (like ${name}__whole including all excluding indexes)
       partition by hash (seller_id)`,
    ...Array.from(
      { length: partitions },
      (_, at) => `create table ${name}${OF_PARTITION}${at} partition of ${name}
        for values with (modulus ${partitions}, remainder ${at})${storage}`,
    ),
    `insert into ${name} (${columns}) overriding system value select ${columns} from ${name}__whole`,
    ...table.identities.map(
      (column) => `select setval(pg_get_serial_sequence('${name}', '${column}'),
        nextval(pg_get_serial_sequence('${name}__whole', '${column}')), false)`,
    ),
    ...table.functions,
    `drop table ${name}__whole`,
    ...table.keys.map(
      (key) =>
        `alter table ${name} add constraint ${key.name} ${key.kind} (${withSeller(key.columns).join(", ")})`,
    ),
    ...table.indexes,
    renameIndexes(name),
    ...table.triggers,
    ...table.grants,
  ];
}

// An error names the index of the partition; from this name `nameOfWhole` reads the table's.
const renameIndexes = (table: string) => `do $$
declare one record;
begin
  for one in
    select i.indexrelid::regclass::text as name,
      p.relname || '${OF_PARTITION}' || substring(t.relname from '\\d+$') as wanted
    from pg_inherits h join pg_class p on p.oid = h.inhparent
      join pg_index i on i.indexrelid = h.inhrelid join pg_class t on t.oid = i.indrelid
      join pg_index w on w.indexrelid = h.inhparent
    where w.indrelid = '${table}'::regclass
  loop
    execute format('alter index %s rename to %I', one.name, one.wanted);
  end loop;
end $$`;

function referenceOf({ onDelete, ...of }: Reference, partitioned: string[]): string {
  const isOfSeller = partitioned.includes(of.to) && !of.columns.includes("seller_id");
  const [columns, toColumns] = isOfSeller
    ? [withSeller(of.columns), withSeller(of.toColumns)]
    : [of.columns, of.toColumns];
  const nulled = onDelete === "set null" ? ` (${of.columns.join(", ")})` : "";
  return `alter table ${of.table} add constraint ${of.name} foreign key (${columns.join(", ")})
    references ${of.to} (${toColumns.join(", ")})${onDelete && ` on delete ${onDelete}${nulled}`}`;
}

async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, array_to_string(c.reloptions, ', ') as storage,
       array(select quote_ident(a.attname) from pg_attribute a where a.attrelid = c.oid
         and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attidentity <> '') as identities,
       coalesce((select json_agg(json_build_object('name', k.conname,
           'kind', case k.contype when 'p' then 'primary key' else 'unique' end,
           'columns', ${columnsOf("k.conrelid", "k.conkey")}) order by k.contype, k.conname)
         from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u')), '[]') as keys,
       array(select case when i.indisunique and not exists (select from pg_attribute a
             where a.attrelid = c.oid and a.attnum = any (i.indkey) and a.attname = 'seller_id')
           then regexp_replace(pg_get_indexdef(i.indexrelid), 'USING (\\w+) \\(', 'USING \\1 (seller_id, ')
           else pg_get_indexdef(i.indexrelid) end
         from pg_index i where i.indrelid = c.oid and not exists (
           select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))
       ) as indexes,
       array(select pg_get_triggerdef(t.oid) from pg_trigger t
         where t.tgrelid = c.oid and not t.tgisinternal) as triggers,
       array(select distinct pg_get_functiondef(d.objid) from pg_depend d
         where d.classid = 'pg_proc'::regclass and d.refobjid = c.oid) as functions,
       array(select format('grant %s on %s to %s', x.privilege_type, c.oid::regclass,
           coalesce(quote_ident(r.rolname), 'public'))
         from aclexplode(c.relacl) x left join pg_roles r on r.oid = x.grantee
         where x.grantee <> c.relowner) as grants
     from pg_class c join pg_attribute s on s.attrelid = c.oid and s.attname = 'seller_id'
     where c.relkind = 'r' and not c.relispartition and c.relnamespace = 'public'::regnamespace
       and c.relname <> all ($1)
     order by c.relname`,
    [WHOLE],
  );
  return rows;
}

/** The foreign keys of these tables, and those that lead to them. */
async function readReferences(client: pg.Client, tables: string[]): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `select k.conname as name, k.conrelid::regclass::text as table, k.confrelid::regclass::text as to,
       ${columnsOf("k.conrelid", "k.conkey")} as columns,
       ${columnsOf("k.confrelid", "k.confkey")} as "toColumns",
       case k.confdeltype when 'c' then 'cascade' when 'n' then 'set null' else '' end as "onDelete"
     from pg_constraint k where k.contype = 'f' and k.conparentid = 0
       and (k.conrelid::regclass::text = any ($1) or k.confrelid::regclass::text = any ($1))
     order by 2, 1`,
    [tables],
  );
  return rows;
}

const columnsOf = (table: string, numbers: string) => `array(
  select quote_ident(a.attname) from unnest(${numbers}) with ordinality of (number, place)
  join pg_attribute a on a.attrelid = ${table} and a.attnum = of.number order by of.place)`;

import type { Database } from "../db/database.ts";

/** The account itself, what it sells, and where it wants its events; all else is cleared. */
const KEPT = [
  "seller",
  "api_key",
  "product",
  "product_image",
  "plan",
  "billing_period",
  "offer",
  "webhook",
];

/** Every other table with a seller's rows, in an order in which no row is still needed: read, not listed. */
export async function clearedTables(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ name: string; references: string[] }>(
    `select c.relname as name, array(
       select k.confrelid::regclass::text from pg_constraint k
       where k.conrelid = c.oid and k.contype = 'f') as references
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'seller_id'
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> all ($1)
     order by c.relname`,
    [KEPT],
  );
  const ordered: string[] = [];
  let left = rows;
  while (left.length > 0) {
    const needed = new Set(
      left.flatMap(({ name, references }) => references.filter((other) => other !== name)),
    );
    const free = left.filter(({ name }) => !needed.has(name));
    if (free.length === 0) throw new Error("Tables refer to each other in a circle.");
    ordered.push(...free.map(({ name }) => name));
    left = left.filter(({ name }) => needed.has(name));
  }
  return ordered;
}

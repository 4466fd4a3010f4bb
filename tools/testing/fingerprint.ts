import { hash } from "node:crypto";
import { withClient } from "#scripts/database/client.ts";

// The sync job changes the search index and the time of its last success at any moment.
const INDEX_TABLES = /^mirror/;
const CHANGING_COLUMNS = "{last_success_at}";

/**
 * A hash of all rows of a seller or user, by table, without the search index. Tables are found by their
 * columns, so that a new table is included as soon as it exists.
 * @param owners the ids of the seller and, in the dashboard's database, of the owner
 */
export function fingerprint(url: string, owners: string[]): Promise<Record<string, string>> {
  return withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string; columns: string[] }>(
      `select c.table_name as name, array_agg(c.column_name::text) as columns
         from information_schema.columns c
         join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
          and (c.column_name in ('seller_id', 'user_id')
               or (c.column_name = 'id' and c.table_name in ('seller', 'app_user')))
        group by 1 order by 1`,
    );
    const prints: Record<string, string> = {};
    for (const { name, columns } of tables.filter((one) => !INDEX_TABLES.test(one.name))) {
      const isOwned = columns.map((column) => `t.${column}::text = any($1)`).join(" or ");
      const { rows } = await client.query<{ row: string }>(
        `select (to_jsonb(t) - $2::text[])::text as row from ${name} t where ${isOwned} order by 1`,
        [owners, CHANGING_COLUMNS],
      );
      prints[name] = hash("sha256", rows.map(({ row }) => row).join("\n"));
    }
    return prints;
  });
}

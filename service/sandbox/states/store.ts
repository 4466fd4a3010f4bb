import type { StateKind } from "#contract/names.ts";
import {
  queryRow,
  queryRows,
  queryValue,
  type Database,
  concernsRow,
} from "../../db/database.ts";
import { SAVED_SELLER_COLUMNS, type AccountTable } from "../account/tables.ts";

// A few hundred kilobytes: many rows per statement, but small enough to be read one after the
// other.
const ROWS_IN_PART = 500;

export interface StateRow {
  id: number;
  kind: StateKind;
  name: string;
  schema_name: string;
  clock_at: Date;
  subscriptions: number;
  customers: number;
  bytes: number;
  created_at: Date;
}

const COLUMNS =
  "id, kind, name, schema_name, clock_at, subscriptions, customers, bytes, created_at";

type NewState = Pick<StateRow, "kind" | "name" | "clock_at" | "created_at">;

/** The version of the tables: the name of the last migration. */
export const readSchemaName = async (database: Database) =>
  (await queryValue<string>(
    database,
    "select name from schema_migration order by name desc limit 1",
  )) ?? "";

/** @returns whether the seller has at most that many rows; stops counting beyond */
export async function hasAtMostRows(
  database: Database,
  sellerId: number,
  tables: AccountTable[],
  most: number,
): Promise<boolean> {
  const counts = tables.map(
    ({ name }) =>
      `(select count(*) from (select from ${name} where seller_id = $1 limit $2) r)`,
  );
  const { rows } = await database.query<{ rows: number }>(
    `select ${counts.join(" + ")} as rows`,
    [sellerId, most + 1],
  );
  return (rows[0]?.rows ?? 0) <= most;
}

/** One statement reads all rows, so that they are consistent. */
export async function insertState(
  database: Database,
  sellerId: number,
  tables: AccountTable[],
  { kind, name, clock_at, created_at }: NewState,
): Promise<StateRow> {
  const { rows } = await database.query<{ id: number }>(
    `insert into sandbox_state (seller_id, kind, name, schema_name, clock_at, seller,
       subscriptions, customers, created_at)
     select seller_id, $2, $3, $4, $5, to_jsonb(s), 0, 0, $6 from seller s where seller_id = $1
     returning id`,
    [sellerId, kind, name, await readSchemaName(database), clock_at, created_at],
  );
  const id = rows[0]?.id ?? 0;
  const parts = tables.map(
    (table) =>
      `select '${table.name}', part, jsonb_agg(row) from (
         select to_jsonb(t) as row, (row_number() over () - 1) / ${ROWS_IN_PART} as part
         from ${table.name} t where seller_id = $2) r group by part`,
  );
  await database.query(
    `insert into sandbox_state_part (state_id, seller_id, table_name, part, rows)
     select $1, $2, p.* from (${parts.join(" union all ")}) p`,
    [id, sellerId],
  );
  return summarize(database, sellerId, id);
}

async function summarize(database: Database, sellerId: number, id: number): Promise<StateRow> {
  const { rows } = await database.query<StateRow>(
    `update sandbox_state s set subscriptions = p.subscriptions, customers = p.customers,
       bytes = p.bytes
     from (
       select coalesce(sum(pg_column_size(rows)), 0) as bytes,
         coalesce(sum(jsonb_array_length(rows)) filter (where table_name = 'subscription'), 0)
           as subscriptions,
         coalesce(sum(jsonb_array_length(rows)) filter (where table_name = 'customer'), 0)
           as customers
       from sandbox_state_part where state_id = $1 and seller_id = $2
     ) p where s.id = $1 and s.seller_id = $2
     returning s.id, kind, name, schema_name, clock_at, s.subscriptions, s.customers, s.bytes,
       created_at`,
    [id, sellerId],
  );
  return rows[0] as StateRow;
}

export const selectStates = (database: Database, sellerId: number) =>
  queryRows<StateRow>(
    database,
    `select ${COLUMNS} from sandbox_state where seller_id = $1 order by id desc`,
    [sellerId],
  );

export const findState = (database: Database, sellerId: number, id: number) =>
  queryRow<StateRow>(
    database,
    `select ${COLUMNS} from sandbox_state where seller_id = $1 and id = $2`,
    [sellerId, id],
  );

export const deleteState = (database: Database, sellerId: number, id: number) =>
  concernsRow(database, "delete from sandbox_state where seller_id = $1 and id = $2", [
    sellerId,
    id,
  ]);

/** Deletes automatic states: old ones, and all of another version of the tables. */
export const dropOldStates = (
  database: Database,
  sellerId: number,
  { most, bytes, schemaName }: { most: number; bytes: number; schemaName: string },
) =>
  database.query(
    `delete from sandbox_state where seller_id = $1 and id in (
       select id from (
         select id, schema_name, row_number() over newest as place, sum(bytes) over newest as sum
         from sandbox_state where seller_id = $1 and kind <> 'saved'
         window newest as (order by id desc)
       ) s where place > 1 and (place > $2 or sum > $3) or schema_name <> $4)`,
    [sellerId, most, bytes, schemaName],
  );

export async function restoreSeller(
  database: Database,
  sellerId: number,
  id: number,
): Promise<void> {
  const columns = SAVED_SELLER_COLUMNS.map((column) => `${column} = old.${column}`);
  await database.query(
    `update seller s set ${columns.join(", ")}
     from sandbox_state kept, jsonb_populate_record(null::seller, kept.seller) old
     where s.seller_id = $1 and kept.seller_id = $1 and kept.id = $2`,
    [sellerId, id],
  );
}

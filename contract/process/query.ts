import type pg from "pg";

type Statement = [database: Pick<pg.ClientBase, "query">, text: string, values?: unknown[]];

export async function queryRows<Row extends pg.QueryResultRow>(
  ...[database, text, values = []]: Statement
): Promise<Row[]> {
  return (await database.query<Row>(text, values)).rows;
}

/** The first row, or null. */
export async function queryRow<Row extends pg.QueryResultRow>(
  ...statement: Statement
): Promise<Row | null> {
  return (await queryRows<Row>(...statement))[0] ?? null;
}

/** The first column of the first row, or null. */
export async function queryValue<Value>(...statement: Statement): Promise<Value | null> {
  const row = await queryRow<Record<string, Value>>(...statement);
  return Object.values(row ?? {})[0] ?? null;
}

/** Whether a statement finds or changes exactly one row. */
export async function concernsRow(
  ...[database, text, values = []]: Statement
): Promise<boolean> {
  return (await database.query(text, values)).rowCount === 1;
}

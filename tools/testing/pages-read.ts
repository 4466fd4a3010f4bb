import pg from "pg";
type Database = Pick<pg.Pool, "query">;

interface Explained {
  "QUERY PLAN": [{ Plan: Record<"Shared Hit Blocks" | "Shared Read Blocks", number> }];
}

type Value = string | number | boolean | Date | null | undefined | readonly string[];

const literalOf = (value: Value): string => {
  if (value === null || value === undefined) return "null";
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (typeof value === "object")
    return pg.escapeLiteral(`{${value.map((one) => JSON.stringify(one)).join(",")}}`);
  return pg.escapeLiteral(String(value));
};

/**
 * How many database pages each statement reads, with the plan that the programs use for it. Statements
 * get no rows.
 */
export async function countPagesRead(
  pool: pg.Pool,
  run: (database: Database) => Promise<unknown>,
): Promise<number[]> {
  const client = await pool.connect();
  const counts: number[] = [];
  const explain = async (text: string, values: Value[]) => {
    await client.query(`prepare explained as ${text}`);
    try {
      const { rows } = await client.query<Explained>(
        `explain (analyze, buffers, format json) execute explained (${values.map(literalOf).join(", ")})`,
      );
      const plan = rows[0]?.["QUERY PLAN"][0].Plan;
      counts.push((plan?.["Shared Hit Blocks"] ?? NaN) + (plan?.["Shared Read Blocks"] ?? NaN));
    } finally {
      await client.query("deallocate explained");
    }
    return { rows: [] };
  };
  try {
    await run({ query: explain } as unknown as Database);
  } finally {
    client.release();
  }
  return counts;
}

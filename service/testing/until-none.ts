import type pg from "pg";

const TIMEOUT_MS = 120_000;

/** Waits until the query returns no row. @throws Error with the problem after two minutes */
export async function waitUntilNoRow(
  pool: pg.Pool,
  query: string,
  problem: string,
  wait: () => Promise<unknown>,
): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  for (;;) {
    const { rowCount } = await pool.query(query);
    if (rowCount === 0) return;
    if (performance.now() > end) throw new Error(`${rowCount} ${problem}`);
    await wait();
  }
}

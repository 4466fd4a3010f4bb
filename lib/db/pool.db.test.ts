import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { inTransaction } from "./pool.ts";

useDashboardDatabase();

test("after a lost connection fails its transaction, the next transaction succeeds", async () => {
  const cut = inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const lost = new Promise((resolve) => client.once("end", resolve));
    await pool.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
    await lost;
    await client.query("select 1");
  });
  await expect(cut).rejects.toThrow();
  await expect(inTransaction(pool, (client) => client.query("select 1"))).resolves.toBeTruthy();
});

test("the JIT compiler of PostgreSQL is off, because it can make a fast statement take seconds", async () => {
  await expect(pool.query("show jit")).resolves.toMatchObject({ rows: [{ jit: "off" }] });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";
import type pg from "pg";
import { openPool, transaction, type Database } from "./database.ts";

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase("service");
  pool = openPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Ends the connection as a stopping server does, and waits until the client has noticed. */
async function cutOff(connection: Database) {
  const { rows } = await connection.query<{ pid: number }>("select pg_backend_pid() as pid");
  const ended = new Promise((resolve) => (connection as pg.PoolClient).once("end", resolve));
  await pool.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
  await ended;
}

test("a connection lost between two statements fails only its transaction, and the pool stays usable", async () => {
  const work = transaction(pool, async (connection) => {
    await cutOff(connection);
    await connection.query("select 1");
  });
  await expect(work).rejects.toThrow();
  expect(pool.totalCount - pool.idleCount).toBe(0);
  await expect(transaction(pool, (again) => again.query("select 1"))).resolves.toBeDefined();
});

test("statements run without PostgreSQL's just-in-time compilation", async () => {
  await expect(pool.query("show jit")).resolves.toMatchObject({ rows: [{ jit: "off" }] });
});

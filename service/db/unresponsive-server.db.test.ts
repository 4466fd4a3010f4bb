import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";
import { startRelay, type Relay } from "#tools/testing/servers/relay.ts";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { buildApp } from "../app.ts";
import { createSeller } from "../testing/service.ts";
import { openPool } from "./database.ts";
import { migrateService } from "./migrate.ts";

const RETRY_SOON = 2_000;

let database: TestDatabase;
let relay: Relay;
let pool: pg.Pool;
let app: FastifyInstance;
beforeAll(async () => {
  database = await createTestDatabase("service");
  relay = await startRelay(database.url);
  pool = openPool(relay.url, RETRY_SOON);
  const context = { pool, now: () => new Date(), publicUrl: "http://billing.test" };
  app = await buildApp({ ...context, mode: "test" });
});
afterAll(async () => {
  await app.close();
  await pool.end();
  await relay.close();
  await database.drop();
});

test("by default, database connections use keep-alive, and statements time out after ten seconds", async () => {
  const usual = openPool(database.url);
  expect(usual.options).toMatchObject({
    keepAlive: true,
    query_timeout: 12_500,
    statement_timeout: 10_000,
  });
  await usual.end();
});

test("a migration fails with a clear error if its connection is ended while the migration waits for the lock", async () => {
  const holder = await pool.connect();
  await holder.query("select pg_advisory_lock(7340021)");
  const migrated = expect(migrateService(database.url)).rejects.toThrow(/terminat/);
  const waits =
    "from pg_stat_activity where wait_event = 'advisory' and datname = current_database()";
  await expect.poll(async () => (await holder.query(`select ${waits}`)).rowCount).toBe(1);
  await holder.query(`select pg_terminate_backend(pid) ${waits}`);
  await migrated;
  holder.release(true);
});

test.each([
  ["a read", { method: "GET", url: "/api/v1/subscriptions/" } as const, 200],
  ["a write", { method: "POST", url: "/sandbox/reset/" } as const, 200],
])(
  "%s gets a 503 when its database connection stops answering, and the next request succeeds",
  async (_what, request, status) => {
    const { key } = await createSeller(pool, "test", {});
    const headers = { authorization: `Bearer ${key}` };
    expect((await app.inject({ ...request, headers })).statusCode).toBe(status);
    relay.silence();
    const told = await app.inject({ ...request, headers });
    expect([told.statusCode, told.headers["retry-after"]]).toEqual([503, "2"]);
    expect((await app.inject({ ...request, headers })).statusCode).toBe(status);
  },
);

import { afterAll, beforeAll } from "vitest";
import type pg from "pg";
import { createPool } from "#lib/db/pool.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

/** Of the database that useDashboardDatabase makes; there is none before the first test. */
export let pool: pg.Pool;
export let database: TestDatabase;

/** The dashboard over a database of its own for the tests of one file. */
export function useDashboardDatabase(): void {
  beforeAll(async () => {
    database = await createTestDatabase("dashboard");
    pool = createPool(database.url);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
}

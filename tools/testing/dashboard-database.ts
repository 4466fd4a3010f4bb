import { afterAll, beforeAll } from "vitest";
import type pg from "pg";
import { createPool } from "#lib/db/pool.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

/** A pool of the database that useDashboardDatabase creates; unset before the first test. */
export let pool: pg.Pool;
export let database: TestDatabase;

/** Creates a dashboard database for the tests of one file, and drops it after them. */
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

import pg from "pg";
import { expect, it } from "vitest";
import { migrateDashboard } from "#lib/db/migrate.ts";
import { migrateService } from "../service/db/migrate.ts";
import { createTestDatabase } from "./testing/database.ts";

it.each([
  ["dashboard", migrateDashboard],
  ["service", migrateService],
])("lets several processes of the %s migrate one database at once", async (_name, migrate) => {
  const database = await createTestDatabase("empty");
  await Promise.all(Array.from({ length: 4 }, () => migrate(database.url)));
  await migrate(database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ applied: number; names: number }>(
    "select count(*)::int as applied, count(distinct name)::int as names from schema_migration",
  );
  await client.end();
  expect(rows[0]?.applied).toBeGreaterThan(0);
  expect(rows[0]?.applied).toBe(rows[0]?.names);
  await database.drop();
});

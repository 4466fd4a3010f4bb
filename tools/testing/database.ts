import { randomBytes } from "node:crypto";
import { expect, inject } from "vitest";
import type { Pool } from "pg";
import { withClient } from "#scripts/database/client.ts";
import { databaseUrl } from "#scripts/database/postgres.ts";

/** Whether the service's tables are divided by seller in this run; see `npm run trial partitions`. */
export const IS_PARTITIONED = process.env["TEST_PARTITIONS"] !== undefined;

export interface TestDatabase {
  url: string;
  drop: () => Promise<void>;
}

/** Creates a database for one test file: with a program's schema, or empty. */
export async function createTestDatabase(
  program: "service" | "dashboard" | "empty",
): Promise<TestDatabase> {
  const adminUrl = inject("postgresUrl");
  const name = `${program}_${randomBytes(6).toString("hex")}`;
  await asAdmin(
    adminUrl,
    `create database ${name} template ${program === "empty" ? "template0" : `${program}_template`}`,
  );
  return {
    url: databaseUrl(adminUrl, name),
    drop: () => asAdmin(adminUrl, `drop database if exists ${name} with (force)`),
  };
}

const asAdmin = (url: string, statement: string) =>
  withClient(url, async (client) => void (await client.query(statement)));

/** Resolves once this many statements in the database, whose text is `like` that, wait for a lock. */
export const untilBlocked = (pool: Pick<Pool, "query">, statements = 1, like = "%") =>
  expect
    .poll(
      async () => {
        const { rowCount } = await pool.query(
          `select from pg_stat_activity
            where wait_event_type = 'Lock' and datname = current_database() and query like $1`,
          [like],
        );
        return rowCount;
      },
      { timeout: 20_000 },
    )
    .toBe(statements);

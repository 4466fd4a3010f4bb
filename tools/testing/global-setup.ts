import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { migrateDashboard } from "#lib/db/migrate.ts";
import { migrateService } from "../../service/db/migrate.ts";
import { partitionBySeller } from "../../service/db/partitions.ts";
import { withClient } from "#scripts/database/client.ts";
import { databaseUrl, startPostgres } from "#scripts/database/postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

const templates = { service_template: migrateService, dashboard_template: migrateDashboard };

/**
 * Starts one PostgreSQL for the run (or uses TEST_POSTGRES_URL), and migrates a template database
 * for each program; divides the service's among as many partitions as TEST_PARTITIONS says, if any.
 */
export default async function setup(project: TestProject) {
  const directory = await mkdtemp(join(tmpdir(), "duebook-test-"));
  const given = process.env["TEST_POSTGRES_URL"];
  const server = given ? null : await startPostgres(directory, { durable: false });
  const adminUrl = given ?? server?.url("postgres") ?? "";

  await withClient(adminUrl, async (admin) => {
    for (const [name, migrate] of Object.entries(templates)) {
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.query(`create database ${name}`);
      await migrate(databaseUrl(adminUrl, name));
    }
    const partitions = Number(process.env["TEST_PARTITIONS"] ?? 0);
    if (partitions > 0)
      await partitionBySeller(databaseUrl(adminUrl, "service_template"), partitions);
  });

  project.provide("postgresUrl", adminUrl);
  return async () => {
    await server?.close();
    await rm(directory, { recursive: true, force: true });
  };
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { ROOT } from "#scripts/process/settings.ts";
import { createTestDatabase } from "#tools/testing/database.ts";
import { prepareJobs } from "../../service/jobs.ts";

/** The statements of the runbook and the upgrade guide, without those that end a connection. */
const statements = ["docs/runbook.md", "docs/upgrade.md"].flatMap((path) =>
  Array.from(
    readFileSync(join(ROOT, path), "utf8").matchAll(/```sql\n([^]*?)```/g),
    ([, text = ""]) => text,
  ),
);

test("every SQL statement of the runbook and the upgrade guide runs without an error", async () => {
  expect(statements.length).toBeGreaterThan(3);
  const [dashboard, service] = [
    await createTestDatabase("dashboard"),
    await createTestDatabase("service"),
  ];
  await prepareJobs(service.url);
  try {
    for (const text of statements) {
      const { url } = /search_index/.test(text) ? dashboard : service;
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        await client.query(text);
      } finally {
        await client.end();
      }
    }
  } finally {
    await Promise.all([dashboard.drop(), service.drop()]);
  }
});

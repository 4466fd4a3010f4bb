import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPool } from "../../service/db/database.ts";
import { seedDemonstration } from "../../service/seed/seed.ts";
import {
  askAccount,
  reminderStep,
  REMINDERS_URL,
  setUpReminders,
} from "../../service/testing/reminders/schedule.ts";
import { startTestService, type TestService } from "../../service/testing/service.ts";
import { ReminderSchedule } from "#contract/reminders.ts";
import { dumpDatabase, loadDatabase } from "./dump.ts";
import { ROOT } from "../process/settings.ts";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";

const MIGRATIONS = join(ROOT, "service/db/migrations");

/** A hash of each table's rows, so that a missing or changed row is noticed. */
async function fingerprints(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
       and relnamespace = 'public'::regnamespace`,
    );
    const found: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ print: string }>(
        `select count(*) || ' ' || md5(string_agg(t::text, '|' order by t::text)) as print from ${name} t`,
      );
      found[name] = rows[0]?.print ?? "empty";
    }
    return found;
  } finally {
    await client.end();
  }
}

describe("backup and restore", () => {
  let source: TestDatabase;
  let target: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    source = await createTestDatabase("service");
    target = await createTestDatabase("empty");
    folder = await mkdtemp(join(tmpdir(), "duebook-dump-"));
    const pool = openPool(source.url);
    await seedDemonstration(pool, {
      subscriptions: 60,
      branches: 35,
      now: new Date(),
      publicUrl: "http://billing.test",
      mode: "test",
    });
    await pool.end();
  });
  afterAll(async () => {
    await source.drop();
    await target.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it("restores every row of every table, and continues the sequences", async () => {
    await dumpDatabase(source.url, folder);
    await loadDatabase(target.url, folder, MIGRATIONS);
    expect(await fingerprints(target.url)).toEqual(await fingerprints(source.url));

    const client = new pg.Client({ connectionString: target.url });
    await client.connect();
    const added = await client.query<{ seller_id: string }>(
      "insert into seller (name, created_at) values ('After the restore', now()) returning seller_id",
    );
    await client.end();
    expect(Number(added.rows[0]?.seller_id)).toBeGreaterThan(1);
  });

  it("does not give the id of a row deleted before the backup to another row, unless the backup lacks the sequences", async () => {
    const [live, restored, old] = await Promise.all([
      createTestDatabase("service"),
      createTestDatabase("empty"),
      createTestDatabase("empty"),
    ]);
    const into = join(folder, "sequences");
    const service = await startTestService(live.url);
    const { gateway, owner, stepId } = await setUpReminders(service, [reminderStep("on_day")]);
    await gateway.close();
    const saveSteps = async (on: TestService, steps: object[]) => {
      const url = `${REMINDERS_URL}/schedule/`;
      const shown = (await askAccount(on, owner, "GET", url)).json<ReminderSchedule>();
      const { version } = shown;
      const saved = await askAccount(on, owner, "PATCH", url, { version, is_on: false, steps });
      expect(saved.statusCode, saved.body).toBe(200);
      return ReminderSchedule.parse(saved.json()).steps[0]?.id;
    };
    await saveSteps(service, []);
    await service.close();
    await dumpDatabase(live.url, into);
    const stepAfter = async (database: TestDatabase) => {
      await loadDatabase(database.url, into, MIGRATIONS);
      const again = await startTestService(database.url);
      const id = await saveSteps(again, [reminderStep("on_day")]);
      await again.close();
      return id;
    };
    expect(await stepAfter(restored)).toBe(stepId + 1);
    const file = join(into, "manifest.json");
    const { sequences: _, ...manifest } = JSON.parse(await readFile(file, "utf8")) as object & {
      sequences?: unknown;
    };
    await writeFile(file, JSON.stringify(manifest));
    expect(await stepAfter(old)).toBe(1);
    for (const database of [live, restored, old]) await database.drop();
  });

  it("makes a backup readable by its owner only and ignored by git", async () => {
    const into = join(folder, "private", "service");
    await dumpDatabase(source.url, into);
    const files = await readdir(into);
    const modes = [join(folder, "private"), into, ...files.map((file) => join(into, file))].map(
      async (path) => ((await stat(path)).mode & 0o777).toString(8),
    );
    const expected = ["700", "700", ...files.map(() => "600")];
    expect(await Promise.all(modes)).toEqual(expected);
    const asked = spawnSync(
      "git",
      ["check-ignore", "backups/2026-11-20/service/seller.copy.gz"],
      {
        cwd: ROOT,
      },
    );
    expect(asked.status).toBe(0);
  });

  it("restores the dashboard's database as well as the service's", async () => {
    const dashboard = await createTestDatabase("dashboard");
    const empty = await createTestDatabase("empty");
    const into = join(folder, "dashboard");
    await dumpDatabase(dashboard.url, into);
    await loadDatabase(empty.url, into, join(ROOT, "lib/db/migrations"));
    expect(await fingerprints(empty.url)).toEqual(await fingerprints(dashboard.url));
    await dashboard.drop();
    await empty.drop();
  });

  it("refuses to restore into a database that is not empty, or from a folder without a backup", async () => {
    await expect(loadDatabase(source.url, folder, MIGRATIONS)).rejects.toThrow("not empty");
    await expect(loadDatabase(target.url, tmpdir(), MIGRATIONS)).rejects.toThrow("no backup");
  });
});

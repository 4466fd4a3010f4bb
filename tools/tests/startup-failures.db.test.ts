import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { migrateService } from "../../service/db/migrate.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { createTestDatabase, type TestDatabase } from "../testing/database.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");

let dashboard: TestDatabase;
let service: TestDatabase;
let folder: string;
beforeAll(async () => {
  dashboard = await createTestDatabase("dashboard");
  service = await createTestDatabase("service");
  folder = await mkdtemp(join(tmpdir(), "duebook-start-"));
});
afterAll(async () => {
  await Promise.all([dashboard.drop(), service.drop()]);
  await rm(folder, { recursive: true, force: true });
});

function run(command: string, changes: Record<string, string> = {}) {
  const ran = spawnSync(
    process.execPath,
    ["--conditions=react-server", ...command.split(" ")],
    {
      cwd: ROOT,
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"],
        NODE_ENV: "production",
        DATABASE_URL: dashboard.url,
        SERVICE_DATABASE_URL: service.url,
        DATA_DIR: folder,
        PORT: "29871",
        SERVICE_PORT: "29872",
        ...changes,
      },
    },
  );
  return { status: ran.status, said: `${ran.stdout}${ran.stderr}`.trim() };
}

/** The single line that a failing command prints. */
function lineOf(command: string, changes?: Record<string, string>): string {
  const { status, said } = run(command, changes);
  expect(status, said).toBe(1);
  expect(said.split("\n"), said).toHaveLength(1);
  return said;
}

async function ask(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(statement);
  await client.end();
  return rows;
}

const tablesOf = (url: string) =>
  ask(
    url,
    "select 1 from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  );

test.each(["4190", "6000"])(
  "a port that browsers block (%s) is refused at the start",
  (port) => {
    const words = `no browser opens port ${port}. Set`;
    expect(lineOf("scripts/up.ts", { PORT: port })).toContain(`${words} PORT`);
    const other = { SERVICE_PORT: port };
    expect(lineOf("scripts/service.ts", other)).toContain(`${words} SERVICE_PORT`);
    expect(lineOf("service/main.ts", other)).toContain(`${words} SERVICE_PORT`);
    expect(lineOf("scripts/dashboard.ts", { PORT: port })).toContain(`${words} PORT`);
  },
);

test("a start with the same port for the dashboard and the service is refused", () => {
  const same = { SERVICE_PORT: "29871" };
  expect(lineOf("scripts/up.ts", same)).toContain("PORT and SERVICE_PORT are both 29871");
});

test("the doctor reports a port that is used twice or blocked by browsers", () => {
  const of = (changes: Record<string, string>) => run("scripts/doctor.ts", changes).said;
  expect(of({ SERVICE_PORT: "29871" })).toContain("PORT and SERVICE_PORT are both 29871");
  expect(of({ PORT: "6000" })).toContain("Browsers block the port of PORT");
  expect(of({ SERVICE_PORT: "6000" })).toContain("Browsers block the port of SERVICE_PORT");
  const elsewhere = { BILLING_SANDBOX_API_URL: "http://127.0.0.1:9" };
  expect(of({ SERVICE_PORT: "6000", ...elsewhere })).not.toContain("Browsers block");
});

test("a start with an IP address of another machine is refused", () => {
  const away = { HOST: "203.0.113.1", DEMO_PASSWORD: "words of our own" };
  expect(lineOf("scripts/up.ts", away)).toMatch(
    /cannot listen on 203\.0\.113\.1:29871 \(PORT\)/,
  );
});

test("one database for both programs is refused before a table is created, at the start and by the migration", async () => {
  const empty = await createTestDatabase("empty");
  onTestFinished(() => empty.drop());
  const same = { DATABASE_URL: empty.url, SERVICE_DATABASE_URL: empty.url };
  expect(lineOf("scripts/up.ts --watch", same)).toContain("name the same database");
  expect(await tablesOf(empty.url)).toEqual([]);

  await migrateService(empty.url);
  const before = await tablesOf(empty.url);
  const given = { DATABASE_OWNER_URL: empty.url, DATABASE_ROLE: "somebody" };
  expect(lineOf("scripts/migrate.ts", given)).toContain("tables of another program");
  expect(await tablesOf(empty.url)).toEqual(before);
  await expect(migrateService(dashboard.url)).rejects.toThrow("tables of another program");
});

test("an older version ends without changes when it finds the tables of a newer version", async () => {
  const newer = "insert into schema_migration (name) values ('9999_tomorrow.sql')";
  const older = "delete from schema_migration where name = '9999_tomorrow.sql'";
  for (const { url } of [dashboard, service]) await ask(url, newer);
  onTestFinished(async () => {
    for (const { url } of [dashboard, service]) await ask(url, older);
  });
  const given = { DATABASE_OWNER_URL: dashboard.url, DATABASE_ROLE: "somebody" };
  expect(lineOf("scripts/migrate.ts", given)).toContain(
    "of a newer Duebook, which made 1 change",
  );
  expect(lineOf("service/main.ts")).toContain("of a newer Duebook, which made 1 change");
  expect(lineOf("service/worker.ts", { SERVICE_SECRETS_KEY: KEY })).toContain(
    "the database of SERVICE_DATABASE_URL cannot be used: its tables are of a newer Duebook",
  );
  const keys = { API_KEY_ENCRYPTION_KEY: KEY, NEXTAUTH_SECRET: KEY, SERVICE_SECRETS_KEY: KEY };
  expect(lineOf("scripts/dashboard-admin.ts end-sessions --all", keys)).toContain(
    "the database of DATABASE_URL cannot be used: its tables are of a newer Duebook",
  );
});

test.each([
  ["service/main.ts", "SERVICE_METRICS_PORT"],
  ["service/worker.ts", "SERVICE_WORKER_METRICS_PORT"],
])("%s names %s when its port is taken", async (program, variable) => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const line = lineOf(program, { SERVICE_SECRETS_KEY: KEY, [variable]: String(port) });
  expect(line).toContain(`port ${port} is taken. Set ${variable} to a free one.`);
});

test("a damaged secrets file is named and kept, and its content is not printed", async () => {
  const file = join(folder, "secrets.json");
  onTestFinished(() => rm(file, { force: true }));
  for (const text of [
    '{"NEXTAUTH_SECRET": "hunter2',
    '["hunter2"]',
    '{"NEXTAUTH_SECRET": 2}',
    "",
  ]) {
    await writeFile(file, text);
    const line = lineOf("scripts/dashboard-admin.ts rotate-keys");
    expect(line).toContain(`${file} is damaged`);
    expect(line).not.toContain("hunter2");
    expect(await readFile(file, "utf8")).toBe(text);
  }
});

test("missing secrets are generated, but only those that the databases need", async () => {
  const alone = { SERVICE_DATABASE_URL: "" };
  onTestFinished(() => rm(join(folder, "secrets.json")));
  expect(run("scripts/dashboard-admin.ts rotate-keys", alone).status).toBe(0);
  expect(await readdir(folder)).toEqual(["secrets.json"]);
  const kept = JSON.parse(await readFile(join(folder, "secrets.json"), "utf8")) as object;
  expect(Object.keys(kept)).toEqual([
    "NEXTAUTH_SECRET",
    "API_KEY_ENCRYPTION_KEY",
    "WEB_PUSH_KEY",
  ]);
});

test("no secret is generated for a database whose data is encrypted with another secret", async () => {
  await ask(
    dashboard.url,
    `with s as (insert into seller (name, time_zone) values ('Phewa', 'UTC') returning id)
     insert into billing_connection (seller_id, mode, sealed_key, key_id, last4)
     select id, 'test', '\\x00', '', '0000' from s`,
  );
  expect(lineOf("scripts/dashboard-admin.ts rotate-keys")).toMatch(
    /API_KEY_ENCRYPTION_KEY is neither set nor in .*secrets\.json.*Restore your copy/,
  );
  expect(await readdir(folder)).toEqual([]);
  const given = { API_KEY_ENCRYPTION_KEY: KEY };
  expect(run("scripts/dashboard-admin.ts reset-link nobody@example.com", given).said).toContain(
    "nobody has an account",
  );
});

test("no secret is generated while the database does not answer, and the secret's variable is named", () => {
  const closed = new URL(dashboard.url);
  closed.searchParams.delete("host");
  [closed.hostname, closed.port] = ["127.0.0.1", "1"];
  const away = { DATABASE_URL: closed.href, DATA_DIR: join(folder, "new") };
  expect(lineOf("scripts/dashboard-admin.ts rotate-keys", away)).toMatch(
    /^duebook: the database of DATABASE_URL cannot be used: nothing answers there/,
  );
  expect(existsSync(away.DATA_DIR)).toBe(false);
});

test("a restore whose second database fails undoes the first, and succeeds when run again", async () => {
  const backup = join(folder, "backup");
  expect(run(`scripts/backup.ts ${backup}`).status).toBe(0);
  const [first, second] = [
    await createTestDatabase("empty"),
    await createTestDatabase("empty"),
  ];
  onTestFinished(async () => void (await Promise.all([first.drop(), second.drop()])));
  const into = { DATABASE_URL: first.url, SERVICE_DATABASE_URL: second.url };
  const restore = `scripts/restore.ts ${backup}`;

  const table = join(backup, "service", "subscription.copy.gz");
  const whole = await readFile(table);
  await writeFile(table, whole.subarray(0, -9));
  expect(lineOf(restore, into)).toContain("the service database could not be restored");
  for (const { url } of [first, second]) expect(await tablesOf(url)).toEqual([]);

  await writeFile(table, whole);
  const manifest = join(backup, "service", "manifest.json");
  const list = await readFile(manifest, "utf8");
  await writeFile(manifest, list.slice(0, 40));
  expect(lineOf(restore, into)).toContain("its manifest.json cannot be read");
  await writeFile(manifest, list);
  expect(run(restore, into)).toMatchObject({ status: 0 });
  expect(await ask(first.url, "select name from seller")).toEqual([{ name: "Phewa" }]);
});

test("a restore whose first database fails at the end says which database was filled", async () => {
  const backup = join(folder, "lost");
  expect(run(`scripts/backup.ts ${backup}`).status).toBe(0);
  const [first, second] = [
    await createTestDatabase("empty"),
    await createTestDatabase("empty"),
  ];
  onTestFinished(async () => void (await Promise.all([first.drop(), second.drop()])));
  const name = new URL(first.url).pathname.slice(1);
  await ask(
    second.url,
    `create function cut() returns event_trigger language plpgsql as $$ begin
       perform pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}';
     end $$;
     create event trigger cut on ddl_command_start execute function cut()`,
  );
  const into = { DATABASE_URL: first.url, SERVICE_DATABASE_URL: second.url };
  const line = lineOf(`scripts/restore.ts ${backup}`, into);
  expect(line).toContain("the dashboard database could not be restored");
  expect(line).toContain("The service database is filled: empty it before you restore again.");
  expect(await tablesOf(first.url)).toEqual([]);
  expect((await tablesOf(second.url)).length).toBeGreaterThan(0);
});

import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { PgBoss } from "pg-boss";
import { expect, inject, it } from "vitest";
import { migrateDashboard } from "#lib/db/migrate.ts";
import { migrateService } from "../service/db/migrate.ts";
import { openJobs } from "../service/jobs.ts";
import { databaseUrl } from "./database/postgres.ts";
import { createTestDatabase } from "#tools/testing/database.ts";

const MIGRATIONS = join(import.meta.dirname, "../lib/db/migrations");

it.each([
  ["dashboard", migrateDashboard],
  ["service", migrateService],
])("several migrations of the %s's database can run at once", async (_name, migrate) => {
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

it.each([
  ["dashboard", migrateDashboard],
  ["service", migrateService],
])(
  "a migration of the %s needs no right to create tables if no table is missing",
  async (_name, migrate) => {
    const database = await createTestDatabase("empty");
    await migrate(database.url);
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    const url = new URL(database.url);
    [url.username, url.password] = [`runs_${randomBytes(4).toString("hex")}`, "secret"];
    await owner.query(
      `create role ${url.username} login password 'secret';
     grant select, insert, update, delete on all tables in schema public to ${url.username}`,
    );
    await migrate(url.href);
    await owner.query("delete from schema_migration where name like '0002%'");
    await expect(migrate(url.href)).rejects.toThrow(/must be owner|permission denied/);
    await owner.query(`drop owned by ${url.username}; drop role ${url.username}`);
    await owner.end();
    await database.drop();
  },
);

it("npm run migrate creates tables as their owner and lets the program's role change rows but no tables", async () => {
  const admin = new pg.Client({ connectionString: inject("postgresUrl") });
  await admin.connect();
  const names = ["desk", "desk_owner", "till", "till_owner"].map(
    (name) => `${name}_${randomBytes(4).toString("hex")}`,
  );
  const [desk = "", deskOwner = "", till = "", tillOwner = ""] = names;
  const urlOf = (role: string, database: string) => {
    const url = new URL(databaseUrl(inject("postgresUrl"), database));
    Object.assign(url, { username: role, password: "secret" });
    return url.href;
  };
  for (const name of names) await admin.query(`create role ${name} login password 'secret'`);
  for (const [database, owner] of [
    [desk, deskOwner],
    [till, tillOwner],
  ]) {
    await admin.query(`create database ${database} owner ${owner}`);
    await admin.query(`revoke all on database ${database} from public`);
    await admin.query(`grant connect on database ${database} to ${database}`);
  }
  const given = {
    DATABASE_OWNER_URL: urlOf(deskOwner, desk),
    DATABASE_ROLE: desk,
    SERVICE_DATABASE_OWNER_URL: urlOf(tillOwner, till),
    SERVICE_DATABASE_ROLE: till,
  };
  try {
    expect(migrateByCommand(given)).toMatchObject({ status: 0, stderr: "" });
    await migrateDashboard(urlOf(desk, desk));
    await migrateService(urlOf(till, till));
    await triesOf(urlOf(desk, desk), {
      "update seller set name = name": "done",
      "insert into audit_log (seller_id, user_id, action, result) values (gen_random_uuid(), gen_random_uuid(), '', 'done')":
        "done",
      "update audit_log set action = ''": "permission denied for table audit_log",
      "delete from audit_log": "permission denied for table audit_log",
      "truncate session": "permission denied for table session",
      "alter table seller disable trigger all": "must be owner of table seller",
      "create table more (id int)": "permission denied for schema public",
      "create temp table more (id int)": /permission denied to create temporary tables/,
      "delete from schema_migration": "permission denied for table schema_migration",
    });
    await triesOf(urlOf(till, till), {
      "update subscription set status = status": "done",
      "drop table subscription": "must be owner of table subscription",
      "create schema more": /permission denied for database/,
    });
    await expectJobsRun(urlOf(till, till));

    expect(migrateByCommand(given)).toMatchObject({ status: 0, stderr: "" });
    const alone = { ...given, DATABASE_ROLE: deskOwner };
    expect(migrateByCommand(alone).stderr).toContain("DATABASE_ROLE is the owner itself");
    const unknown = { ...given, DATABASE_ROLE: "nobody_at_all" };
    expect(migrateByCommand(unknown).stderr).toMatch(
      /^duebook: DATABASE_OWNER_URL cannot be used: role "nobody_at_all" does not exist\.\n$/,
    );
    // Node.js' own error for an invalid URL would contain the URL with its password.
    const broken = { ...given, DATABASE_OWNER_URL: "postgresql://desk:s3cret@[nowhere/desk" };
    expect(migrateByCommand(broken).stderr).toBe(
      "duebook: DATABASE_OWNER_URL cannot be used: Invalid URL.\n",
    );
    expect(migrateByCommand({}).stderr).toContain("no database is named");
  } finally {
    for (const database of [desk, till])
      await admin.query(`drop database ${database} with (force)`);
    for (const name of names) await admin.query(`drop role ${name}`);
    await admin.end();
  }
});

const migrateByCommand = (environment: Record<string, string>) =>
  spawnSync(process.execPath, [join(import.meta.dirname, "migrate.ts")], {
    env: { PATH: process.env["PATH"], NODE_ENV: "test", ...environment },
    encoding: "utf8",
  });

async function expectJobsRun(url: string) {
  const errors: unknown[] = [];
  const jobs = await openJobs({ databaseUrl: url }, (error) => errors.push(error));
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = async () => resolve();
  await jobs.repeat({ name: "once", cron: "0 0 1 1 *", expireIn: 30, work });
  const sender = await new PgBoss({ connectionString: url, supervise: false }).start();
  await sender.send("once");
  await promise;
  await sender.stop();
  await jobs.close([]);
  expect(errors).toEqual([]);
}

/** Runs each statement, and compares its result: "done", or the database's error message. */
async function triesOf(url: string, expected: Record<string, string | RegExp>) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  client.on("error", () => {});
  for (const [statement, answer] of Object.entries(expected)) {
    const came = await client.query(statement).then(
      () => "done",
      (error: Error) => error.message,
    );
    expect(`${statement}: ${came}`).toMatch(answer);
  }
  await client.end();
}

it("a dashboard database of the first schema migrates to the newest schema without losing a row", async () => {
  const database = await createTestDatabase("empty");
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    "create table schema_migration (name text primary key, applied_at timestamptz not null default now())",
  );
  await client.query(await readFile(join(MIGRATIONS, "0001_initial.sql"), "utf8"));
  await client.query("insert into schema_migration (name) values ('0001_initial.sql')");
  await client.query(
    `with u as (insert into app_user (email, name, password_hash) values ('a@example.com', 'Asha', 'x') returning id),
          s as (insert into seller (name, time_zone) values ('Phewa', 'UTC'), ('Begnas', 'UTC') returning id)
     select 1`,
  );
  await client.query(
    "insert into membership (user_id, seller_id, role) select u.id, s.id, 'owner' from app_user u, seller s",
  );
  await client.query(
    `insert into session (id, user_id, seller_id, created_at, last_seen_at, expires_at)
     select sha256('s'), user_id, seller_id, now(), now(), now() + interval '1 day' from membership limit 1`,
  );
  await client.query(
    "insert into billing_connection (seller_id, mode, sealed_key, key_id, last4, set_by) select seller_id, 'test', '', '', '0000', user_id from membership",
  );
  await client.query(
    "insert into audit_log (seller_id, user_id, action, result) select seller_id, user_id, 'subscription.cancel', 'done' from membership",
  );
  await migrateDashboard(database.url);
  const { rows } = await client.query(
    `select (select count(distinct code)::int from seller) as sellers,
            (select count(*)::int from session where seller_id is not null) as sessions,
            (select count(*)::int from billing_connection where state = 'good') as connections,
            (select count(*)::int from audit_log) as acts`,
  );
  expect(rows).toEqual([{ sellers: 2, sessions: 1, connections: 2, acts: 2 }]);
  await client.end();
  await database.drop();
});

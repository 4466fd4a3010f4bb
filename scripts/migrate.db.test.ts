import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { expect, it } from "vitest";
import { migrateDashboard } from "#lib/db/migrate.ts";
import { migrateService } from "../service/db/migrate.ts";
import { createTestDatabase } from "./testing/database.ts";

const MIGRATIONS = join(import.meta.dirname, "../lib/db/migrations");

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

it.each([
  ["dashboard", migrateDashboard],
  ["service", migrateService],
])("needs no right to make tables where none is missing: %s", async (_name, migrate) => {
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
});

it("brings a dashboard's first schema with rows in it to the newest, and loses none", async () => {
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

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type pg from "pg";
import { verifyPassword } from "#lib/auth/password.ts";
import { readApiKey, readCheckoutBase, rememberCheckoutBase } from "#lib/billing/connection.ts";
import { failureOf } from "#lib/billing/errors.ts";
import { readEnv } from "#lib/env.ts";
import { createTestDatabase, type TestDatabase } from "#scripts/testing/database.ts";
import { ensureDemo } from "./demo.ts";
import { migrateDashboard } from "./migrate.ts";
import { createPool } from "./pool.ts";

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase("dashboard");
  pool = createPool(database.url);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const settings = (changes: Record<string, string> = {}) =>
  readEnv({
    DATABASE_URL: database.url,
    NEXTAUTH_SECRET: "0123456789abcdef",
    NEXTAUTH_URL: "http://localhost:3000",
    API_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    DEMO_EMAIL: "demo@example.com",
    DEMO_PASSWORD: "first password",
    DEMO_SELLER_NAME: "Phewa Home Services",
    BILLING_API_KEY: "sk_test_first",
    ...changes,
  });

const { API_KEY_ENCRYPTION_KEY: encryptionKey } = readEnv({
  DATABASE_URL: "postgresql://unused",
  NEXTAUTH_SECRET: "0123456789abcdef",
  NEXTAUTH_URL: "http://localhost:3000",
  API_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
});

async function ownerOf() {
  const { rows } = await pool.query<{ seller_id: string; password_hash: string }>(
    `select m.seller_id, u.password_hash from app_user u join membership m on m.user_id = u.id`,
  );
  expect(rows).toHaveLength(1);
  const [row] = rows;
  if (!row) throw new Error("there is no demonstration");
  return { password_hash: row.password_hash, seller_id: row.seller_id, mode: "test" as const };
}

test("does nothing unless everything is given", async () => {
  await ensureDemo(pool, settings({ BILLING_API_KEY: "" }));
  const { rows } = await pool.query("select 1 from app_user");
  expect(rows).toHaveLength(0);
});

test("makes one owner of one seller, however often and however many start at once", async () => {
  const start = () =>
    migrateDashboard(database.url, (client) => ensureDemo(client, settings()));
  await Promise.all([start(), start(), start()]);
  const owner = await ownerOf();
  await expect(readApiKey(pool, owner, encryptionKey)).resolves.toBe("sk_test_first");
});

test("keeps a changed password, and takes a changed key", async () => {
  await ensureDemo(
    pool,
    settings({ DEMO_PASSWORD: "second password", BILLING_API_KEY: "sk_test_second" }),
  );
  const owner = await ownerOf();
  await expect(verifyPassword(owner.password_hash, "first password")).resolves.toBe(true);
  await expect(readApiKey(pool, owner, encryptionKey)).resolves.toBe("sk_test_second");
});

test("the checkout address is learned from a link and forgotten with the key", async () => {
  const owner = await ownerOf();
  await rememberCheckoutBase(pool, owner, {
    subscription_id: "s-1",
    checkout_url: "https://pay.example/pay/s-1",
  });
  await expect(readCheckoutBase(pool, owner)).resolves.toBe("https://pay.example");
  await ensureDemo(pool, settings({ BILLING_API_KEY: "sk_test_third" }));
  await expect(readCheckoutBase(pool, owner)).resolves.toBeNull();
});

test("a key that no longer opens is no key, and a start puts it right", async () => {
  const owner = await ownerOf();
  const other = randomBytes(32);
  const error: unknown = await readApiKey(pool, owner, other).catch(
    (reason: unknown) => reason,
  );
  expect(failureOf(error)).toEqual({ kind: "unauthorized" });
  const changed = settings({ API_KEY_ENCRYPTION_KEY: other.toString("base64") });
  await ensureDemo(pool, changed);
  await expect(readApiKey(pool, owner, other)).resolves.toBe("sk_test_first");
});

test("the audit log takes rows and gives none up", async () => {
  const owner = await ownerOf();
  await pool.query(
    `insert into audit_log (seller_id, user_id, action, result)
     values ($1, gen_random_uuid(), 'subscription.create', 'done')`,
    [owner.seller_id],
  );
  for (const change of [
    "update audit_log set action = ''",
    "delete from audit_log",
    "truncate audit_log",
  ]) {
    await expect(pool.query(change)).rejects.toThrow("append-only");
  }
});

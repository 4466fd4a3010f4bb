import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { listAccountEvents } from "#lib/auth/credentials/account-event.ts";
import { isKnownDevice, rememberDevice } from "#lib/auth/sessions/known-device.ts";
import { hashPassword, verifyPassword } from "#lib/auth/credentials/password.ts";
import { PUBLISHED_HASH, PUBLISHED_PASSWORD } from "#lib/auth/sessions/published-password.ts";
import { createSession, findSession } from "#lib/auth/sessions/session.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { readCheckoutBase, rememberCheckoutBase } from "#lib/billing/checkout-base.ts";
import { openConnection } from "#lib/billing/connection.ts";
import { failureOf } from "#lib/failure.ts";
import { readEnv } from "#lib/env.ts";
import { database, pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { logLinesOf } from "#tools/testing/captured-log.ts";
import { ensureDemo } from "#lib/prepare-database.ts";
import { migrateDashboard } from "#lib/db/migrate.ts";

useDashboardDatabase();

const settings = (changes: Record<string, string> = {}) =>
  readEnv({
    DATABASE_URL: database.url,
    NEXTAUTH_SECRET: "0123456789abcdef",
    NEXTAUTH_URL: "http://localhost:3000",
    API_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    DEMO_EMAIL: "demo@example.com",
    DEMO_PASSWORD: "first password",
    DEMO_SELLER_NAME: "Phewa Home Services",
    BILLING_SANDBOX_API_KEY: "sk_test_first",
    ...changes,
  });

const encryptionKey = Buffer.alloc(32, 7);
const keyOf = async (owner: KeyOwner, key = encryptionKey) =>
  (await openConnection(pool, owner, [key])).apiKey;

async function ownerOf() {
  const { rows } = await pool.query<{
    user_id: string;
    seller_id: string;
    password_hash: string;
  }>(
    `select m.user_id, m.seller_id, u.password_hash from app_user u join membership m on m.user_id = u.id`,
  );
  expect(rows).toHaveLength(1);
  const [row] = rows;
  if (!row) throw new Error("there is no demonstration");
  return { ...row, mode: "test" as const };
}

test("no account is created without an API key", async () => {
  await ensureDemo(pool, settings({ BILLING_SANDBOX_API_KEY: "" }), pool);
  const { rows } = await pool.query("select 1 from app_user");
  expect(rows).toHaveLength(0);
});

test("no account is created when the demonstration is off, even with a custom password and a live key", async () => {
  await ensureDemo(
    pool,
    settings({ DEMONSTRATION: "off", BILLING_API_KEY: "sk_live_first" }),
    pool,
  );
  const { rows } = await pool.query("select 1 from app_user");
  expect(rows).toHaveLength(0);
});

test("several processes that start at once create one owner and one seller", async () => {
  const start = () =>
    migrateDashboard(database.url, (client) => ensureDemo(client, settings(), pool));
  await Promise.all([start(), start(), start()]);
  const owner = await ownerOf();
  await expect(keyOf(owner)).resolves.toBe("sk_test_first");
});

test("if the demonstration is switched off later, a warning says that its account still exists", async () => {
  const of = (changes: Record<string, string>) => () =>
    ensureDemo(pool, settings(changes), pool);
  const stays = /The demonstration of an earlier start stays/;
  const [line, ...more] = await logLinesOf(of({ DEMONSTRATION: "off" }));
  expect([line?.["msg"], more]).toEqual([expect.stringMatching(stays), []]);
  const stranger = { DEMONSTRATION: "off", DEMO_EMAIL: "nobody@example.com" };
  expect(await logLinesOf(of(stranger))).toEqual([]);
  expect(await logLinesOf(of({}))).toEqual([]);
});

test("the published password never replaces a custom password, and a changed API key is stored", async () => {
  await ensureDemo(
    pool,
    settings({ DEMO_PASSWORD: PUBLISHED_PASSWORD, BILLING_SANDBOX_API_KEY: "sk_test_second" }),
    pool,
  );
  const owner = await ownerOf();
  await expect(verifyPassword(owner.password_hash, "first password")).resolves.toBe(true);
  await expect(keyOf(owner)).resolves.toBe("sk_test_second");
});

test("a new custom password at a later start replaces the old password and ends all sessions", async () => {
  const { user_id } = await ownerOf();
  const secret = await createSession(pool, { user_id });
  const device = await rememberDevice(pool, { user_id, device: null }, new Date());
  await ensureDemo(pool, settings({ BILLING_SANDBOX_API_KEY: "" }), pool);
  expect(await findSession(pool, secret)).not.toBeNull();
  const second = { DEMO_PASSWORD: "second password", BILLING_SANDBOX_API_KEY: "" };
  await ensureDemo(pool, settings(second), pool);
  const { password_hash } = await ownerOf();
  await expect(verifyPassword(password_hash, "second password")).resolves.toBe(true);
  expect(await findSession(pool, secret)).toBeNull();
  expect(await isKnownDevice(pool, { user_id, device }, new Date())).toBe(false);
  const [latest] = await listAccountEvents(pool, user_id, 1);
  expect(latest?.kind).toBe("password.change");
});

test("an old account with another hash of the published password gets the current hash", async () => {
  const { user_id } = await ownerOf();
  const old = await hashPassword(PUBLISHED_PASSWORD);
  await pool.query("update app_user set password_hash = $2 where id = $1", [user_id, old]);
  await ensureDemo(pool, settings({ DEMO_PASSWORD: "" }), pool);
  expect((await ownerOf()).password_hash).toBe(PUBLISHED_HASH);
  await expect(verifyPassword(PUBLISHED_HASH, PUBLISHED_PASSWORD)).resolves.toBe(true);
});

test("the checkout URL is stored from a checkout link and deleted when the API key changes", async () => {
  const owner = await ownerOf();
  await rememberCheckoutBase(pool, owner, {
    subscription_id: "s-1",
    checkout_url: "https://pay.example/pay/s-1",
  });
  await expect(readCheckoutBase(pool, owner)).resolves.toBe("https://pay.example");
  await ensureDemo(pool, settings({ BILLING_SANDBOX_API_KEY: "sk_test_third" }), pool);
  await expect(readCheckoutBase(pool, owner)).resolves.toBeNull();
});

test("an API key that cannot be decrypted counts as missing, and the next start replaces it", async () => {
  const owner = await ownerOf();
  const other = randomBytes(32);
  const error: unknown = await keyOf(owner, other).catch((reason: unknown) => reason);
  expect(failureOf(error)).toEqual({ kind: "not_connected" });
  const changed = settings({ API_KEY_ENCRYPTION_KEY: other.toString("base64") });
  await ensureDemo(pool, changed, pool);
  await expect(keyOf(owner, other)).resolves.toBe("sk_test_first");
});

test("a seller that the user with the demo email created or joined gets no API key", async () => {
  const { seller_id } = await ownerOf();
  const stranger = settings({ DEMO_EMAIL: "stranger@example.com" });
  const { rows } = await pool.query<{ id: string }>(
    "insert into app_user (email, name) values ('stranger@example.com', 'S') returning id",
  );
  const user_id = rows[0]?.id ?? "";
  await ensureDemo(pool, stranger, pool);
  await pool.query(
    `with s as (insert into seller (name, time_zone) values ('Own', 'UTC') returning id),
          m as (insert into membership (user_id, seller_id, role) select $1, id, 'owner' from s)
     insert into audit_log (seller_id, user_id, action, result)
     select id, $1, 'seller.create', 'done' from s`,
    [user_id],
  );
  await pool.query(
    "insert into membership (user_id, seller_id, role) values ($1, $2, 'admin')",
    [user_id, seller_id],
  );
  await ensureDemo(pool, stranger, pool);
  const { rows: connected } = await pool.query<{ seller_id: string }>(
    "select seller_id from billing_connection",
  );
  expect(connected).toEqual([{ seller_id }]);
  await pool.query("delete from app_user where id = $1", [user_id]);
});

test("the audit log accepts new rows, but no changes to them", async () => {
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

test("the account token of the example data is stored, and a later start without a token keeps it", async () => {
  const account = { DEMO_ACCOUNT_ID: "7", DEMO_ACCOUNT_TOKEN: "dba_test_first" };
  await ensureDemo(pool, settings(account), pool);
  await ensureDemo(pool, settings(), pool);
  const { rows } = await pool.query("select account_id::int, mode from billing_account");
  expect(rows).toEqual([{ account_id: 7, mode: "test" }]);
});

import "server-only";
import type pg from "pg";
import { errorCode } from "#contract/process/log.ts";
import { directDatabaseUrl, encryptionKeysOf, env, type Env } from "#lib/env.ts";
import { clearTextWarning, isPublishedPasswordOff } from "#lib/exposure.ts";
import { logLine } from "#lib/log.ts";
import { migrateDashboard } from "#lib/db/migrate.ts";
import { writeAccountEvent } from "#lib/auth/credentials/account-event.ts";
import { forgetDevices } from "#lib/auth/sessions/known-device.ts";
import { hashPassword, verifyPassword } from "#lib/auth/credentials/password.ts";
import { PUBLISHED_HASH, PUBLISHED_PASSWORD } from "#lib/auth/sessions/published-password.ts";
import { revokeAllSessions } from "#lib/auth/sessions/session.ts";
import { storeAccount } from "#lib/billing/account.ts";
import { ensureApiKey } from "#lib/billing/connection.ts";
import { database, type Database, singleRow } from "#lib/db/pool.ts";

/**
 * Checks the configuration, migrates the schema and creates the demonstration before the first
 * request. Ends the process if one fails.
 */
export async function prepareDatabase(): Promise<void> {
  try {
    const settings = env();
    const clearText = clearTextWarning(settings);
    if (clearText) logLine(clearText, {}, "warn");
    await migrateDashboard(directDatabaseUrl(settings), (client) =>
      ensureDemo(client, settings, database()),
    );
  } catch (error) {
    logLine(describe(error), {}, "fatal");
    process.exit(1);
  }
}

function describe(error: unknown): string {
  if (error instanceof Error && error.name === "ConfigurationError") return error.message;
  // A refused connection arrives as an AggregateError whose message is empty.
  const message = error instanceof Error ? error.message : String(error);
  return `The database in DATABASE_URL cannot be used: ${message || errorCode(error) || "no reason given"}.`;
}

const STAYED =
  "The demonstration of an earlier start stays; its published password opens nothing while DEMONSTRATION=off.";

/**
 * Ensures that the demo user owns a seller with BILLING_API_KEY (live) and BILLING_SANDBOX_API_KEY
 * (test). Needs DEMO_EMAIL and DEMO_PASSWORD and, for a new account, one of the keys; does not change
 * an account that owns no seller created here. A custom DEMO_PASSWORD replaces the former one; the
 * published one never does (ADR 0224).
 */
export async function ensureDemo(
  db: Database,
  settings: Env,
  pool: Pick<pg.Pool, "connect">,
): Promise<void> {
  const { DEMO_EMAIL: email, DEMO_PASSWORD: password } = settings;
  const { BILLING_API_KEY: live, BILLING_SANDBOX_API_KEY: test } = settings;
  if (!email) return;
  const known = await findUser(db, email);
  if (known) await markPublished(db, known);
  const isOff = settings.DEMONSTRATION === "off";
  if (isOff && !known) return;
  if (isOff && known && (await findSeller(db, known.id))) logLine(STAYED, {}, "warn");
  const isWanted = password !== PUBLISHED_PASSWORD || !isPublishedPasswordOff(settings);
  if (!password || !isWanted || !(known || live || test)) return;
  const seller_id = known
    ? await findSeller(db, known.id)
    : await createSeller(db, await createUser(db, email, password), settings);
  if (!seller_id) return;
  if (known && password !== PUBLISHED_PASSWORD) await replacePassword(db, known, password);
  const keys = encryptionKeysOf(settings);
  if (test) await ensureApiKey(db, { seller_id, mode: "test" }, test, keys, pool);
  if (live) await ensureApiKey(db, { seller_id, mode: "live" }, live, keys, pool);
  const { DEMO_ACCOUNT_ID: account_id, DEMO_ACCOUNT_TOKEN: token } = settings;
  if (account_id && token)
    await storeAccount(db, { seller_id, mode: "test" }, { account_id, token }, keys);
}

interface User {
  id: string;
  password_hash: string | null;
}

async function findUser(db: Database, email: string): Promise<User | undefined> {
  const found = await db.query<User>(
    "select id, password_hash from app_user where lower(email) = lower($1)",
    [email],
  );
  return found.rows[0];
}

/** Replaces an older account's own hash of the published password with the common one. */
async function markPublished(db: Database, { id, password_hash }: User): Promise<void> {
  if (password_hash === PUBLISHED_HASH) return;
  if (await verifyPassword(password_hash, PUBLISHED_PASSWORD))
    await db.query(
      "update app_user set password_hash = $2 where id = $1 and password_hash = $3",
      [id, PUBLISHED_HASH, password_hash],
    );
}

/** Replaces the password and ends the sessions that began with the old one. */
async function replacePassword(db: Database, user: User, password: string): Promise<void> {
  const { id: user_id, password_hash } = user;
  if (await verifyPassword(password_hash, password)) return;
  const now = new Date();
  await db.query("update app_user set password_hash = $2 where id = $1", [
    user_id,
    await hashPassword(password),
  ]);
  for (const begun of ["sign_in_challenge", "password_reset"])
    await db.query(`delete from ${begun} where user_id = $1`, [user_id]);
  await revokeAllSessions(db, user_id, { now });
  await forgetDevices(db, user_id);
  await writeAccountEvent(db, { user_id, kind: "password.change", address: null }, now);
}

async function createUser(db: Database, email: string, password: string): Promise<string> {
  const created = await db.query<{ id: string }>(
    "insert into app_user (email, name, password_hash) values ($1, $2, $3) returning id",
    [
      email,
      "Demo owner",
      password === PUBLISHED_PASSWORD ? PUBLISHED_HASH : await hashPassword(password),
    ],
  );
  return singleRow(created.rows).id;
}

/**
 * The seller that this program created. Anybody can sign up with DEMO_EMAIL, and a seller that they
 * create must not get the configured keys.
 */
async function findSeller(db: Database, user_id: string): Promise<string | undefined> {
  const found = await db.query<{ seller_id: string }>(
    `select m.seller_id from membership m
      where m.user_id = $1 and m.role = 'owner' and not exists
        (select 1 from audit_log a where a.seller_id = m.seller_id and a.action = 'seller.create')
      order by m.created_at limit 1`,
    [user_id],
  );
  return found.rows[0]?.seller_id;
}

async function createSeller(db: Database, user_id: string, settings: Env): Promise<string> {
  const created = await db.query<{ id: string }>(
    "insert into seller (name, time_zone) values ($1, $2) returning id",
    [settings.DEMO_SELLER_NAME, settings.DEMO_TIME_ZONE],
  );
  const { id } = singleRow(created.rows);
  await db.query("insert into membership (user_id, seller_id, role) values ($1, $2, 'owner')", [
    user_id,
    id,
  ]);
  return id;
}

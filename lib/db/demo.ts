import "server-only";
import { hashPassword } from "#lib/auth/password.ts";
import { ensureApiKey } from "#lib/billing/connection.ts";
import type { Env } from "#lib/env.ts";
import type { Database } from "./pool.ts";

/**
 * Makes sure that the demonstration's user owns a seller whose stored key is BILLING_API_KEY.
 * Does nothing unless DEMO_EMAIL, DEMO_PASSWORD and BILLING_API_KEY are all set; never touches the
 * password, name or role of a user who is already there.
 */
export async function ensureDemo(db: Database, settings: Env): Promise<void> {
  const { DEMO_EMAIL: email, DEMO_PASSWORD: password, BILLING_API_KEY: apiKey } = settings;
  if (!email || !password || !apiKey) return;
  const user_id = (await findUser(db, email)) ?? (await createUser(db, email, password));
  const seller_id =
    (await findSeller(db, user_id)) ?? (await createSeller(db, user_id, settings));
  const key = settings.API_KEY_ENCRYPTION_KEY;
  await ensureApiKey(db, { seller_id, mode: "test" }, apiKey, key);
}

async function findUser(db: Database, email: string): Promise<string | undefined> {
  const found = await db.query<{ id: string }>(
    "select id from app_user where lower(email) = lower($1)",
    [email],
  );
  return found.rows[0]?.id;
}

async function createUser(db: Database, email: string, password: string): Promise<string> {
  const created = await db.query<{ id: string }>(
    "insert into app_user (email, name, password_hash) values ($1, $2, $3) returning id",
    [email, "Demo owner", await hashPassword(password)],
  );
  return only(created.rows).id;
}

async function findSeller(db: Database, user_id: string): Promise<string | undefined> {
  const found = await db.query<{ seller_id: string }>(
    "select seller_id from membership where user_id = $1 order by created_at limit 1",
    [user_id],
  );
  return found.rows[0]?.seller_id;
}

async function createSeller(db: Database, user_id: string, settings: Env): Promise<string> {
  const created = await db.query<{ id: string }>(
    "insert into seller (name, time_zone) values ($1, $2) returning id",
    [settings.DEMO_SELLER_NAME, settings.DEMO_TIME_ZONE],
  );
  const { id } = only(created.rows);
  await db.query("insert into membership (user_id, seller_id, role) values ($1, $2, 'owner')", [
    user_id,
    id,
  ]);
  return id;
}

function only<Row>(rows: Row[]): Row {
  const [row] = rows;
  if (!row) throw new Error("the statement returned no row");
  return row;
}

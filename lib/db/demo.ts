import "server-only";
import { hashPassword } from "#lib/auth/password.ts";
import { ensureApiKey } from "#lib/billing/connection.ts";
import { encryptionKeysOf, type Env } from "#lib/env.ts";
import { only, type Database } from "./pool.ts";

/**
 * Makes sure that the demonstration's user owns a seller whose stored keys are BILLING_API_KEY (live)
 * and BILLING_SANDBOX_API_KEY (test). Does nothing unless DEMO_EMAIL, DEMO_PASSWORD and one of the
 * keys are set, or when somebody has that email already and owns no seller that was made here; never
 * touches the password, name or role of a user who is already there.
 */
export async function ensureDemo(db: Database, settings: Env): Promise<void> {
  const { DEMO_EMAIL: email, DEMO_PASSWORD: password } = settings;
  const { BILLING_API_KEY: live, BILLING_SANDBOX_API_KEY: test } = settings;
  if (!email || !password || !(live || test)) return;
  const known = await findUser(db, email);
  const seller_id = known
    ? await findSeller(db, known)
    : await createSeller(db, await createUser(db, email, password), settings);
  if (!seller_id) return;
  const keys = encryptionKeysOf(settings);
  if (test) await ensureApiKey(db, { seller_id, mode: "test" }, test, keys);
  if (live) await ensureApiKey(db, { seller_id, mode: "live" }, live, keys);
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

/** The one made here. Anybody can sign up by that email: what a person set up gets no key of ours. */
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
  const { id } = only(created.rows);
  await db.query("insert into membership (user_id, seller_id, role) values ($1, $2, 'owner')", [
    user_id,
    id,
  ]);
  return id;
}

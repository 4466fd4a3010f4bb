import "server-only";
import { queryValue, queryRow } from "#contract/process/database.ts";
import type pg from "pg";
import { AppError } from "#lib/failure.ts";
import { inTransaction, type Database } from "#lib/db/pool.ts";
import type { Language } from "#lib/i18n/languages.ts";
import { writeAccountEvent } from "./account-event.ts";
import { forgetDevices, rememberDevice } from "#lib/auth/sessions/known-device.ts";
import { hashNewPassword, listSellerNames } from "./password.ts";
import { revokeAllSessions } from "#lib/auth/sessions/session.ts";
import { reserveAttempt } from "./throttle.ts";
import { newSecret, hashSessionSecret } from "#lib/auth/sessions/visit.ts";

const HOUR = 3_600_000;

/** The path of a reset link that works once within an hour; null for an unknown email. */
export async function createResetPath(
  db: Database,
  email: string,
  now: Date,
): Promise<string | null> {
  const token = newSecret();
  const { rowCount } = await db.query(
    `insert into password_reset (id, user_id, expires_at)
     select $1, id, $3 from app_user where lower(email) = lower($2)`,
    [hashSessionSecret(token), email.trim(), new Date(now.getTime() + HOUR)],
  );
  return rowCount === 1 ? `/reset-password/${token}` : null;
}

/**
 * The path of a reset link for a mail that anyone may request; null also while the account's limit is
 * reached.
 */
export async function createMailedResetPath(
  pool: pg.Pool,
  email: string,
  now: Date,
): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    "select id from app_user where lower(email) = lower($1)",
    [email.trim()],
  );
  // Counted by account, whatever the spelling of the email.
  const subjects = rows.map(({ id }) => ({ limit: "mail", of: [id] }) as const);
  if (subjects.length === 0) return null;
  if ((await reserveAttempt(pool, subjects, now)).wait_seconds > 0) return null;
  return createResetPath(pool, email, now);
}

/** The language saved in the account; null if none is saved or the email is unknown. */
export const resetLanguageOf = (db: Database, email: string) =>
  queryValue<Language>(db, "select language from app_user where lower(email) = lower($1)", [
    email.trim(),
  ]);

export async function isResetOpen(
  db: Database,
  token: string,
  now = new Date(),
): Promise<boolean> {
  return (await findReset(db, token, now)) !== null;
}

/**
 * Also ends all sessions and removes all reset links and linked identities; the second factor stays
 * on.
 * @returns this browser's new device secret
 * @throws AppError `not_found` for an expired link, or with the reason on the field `password`
 */
export async function resetPassword(
  pool: pg.Pool,
  given: { token: string; password: string; address: string | null },
  now: Date,
): Promise<{ device: string }> {
  const { token, password, address } = given;
  const reset = await findReset(pool, token, now);
  if (!reset) throw new AppError({ kind: "not_found" });
  const { user_id, email } = reset;
  const sellers = await listSellerNames(pool, user_id);
  const password_hash = await hashNewPassword(password, { email, sellers });
  return inTransaction(pool, async (client) => {
    // Of two concurrent uses of the link, one succeeds.
    const { rowCount } = await client.query("delete from password_reset where id = $1", [
      hashSessionSecret(token),
    ]);
    if (rowCount !== 1) throw new AppError({ kind: "not_found" });
    await client.query("delete from password_reset where user_id = $1", [user_id]);
    // This runs first: concurrent sign-ins lock this row, and the sessions that they started are
    // ended below.
    await client.query("update app_user set password_hash = $2 where id = $1", [
      user_id,
      password_hash,
    ]);
    await client.query("delete from sign_in_challenge where user_id = $1", [user_id]);
    await revokeAllSessions(client, user_id, { now });
    await forgetDevices(client, user_id);
    // Sign-up does not verify emails, so someone else may have linked a provider.
    await client.query("delete from external_identity where user_id = $1", [user_id]);
    await writeAccountEvent(client, { user_id, kind: "password.reset", address }, now);
    // The owner can sign in from here even while the account is under attack.
    const device = await rememberDevice(client, { user_id, device: null }, now);
    return { device };
  });
}

async function findReset(
  db: Database,
  token: string,
  now: Date,
): Promise<{ user_id: string; email: string } | null> {
  return queryRow<{ user_id: string; email: string }>(
    db,
    `select u.id as user_id, u.email from password_reset r join app_user u on u.id = r.user_id
      where r.id = $1 and r.expires_at > $2`,
    [hashSessionSecret(token), now],
  );
}

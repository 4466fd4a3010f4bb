import "server-only";
import type pg from "pg";
import { listAccountEvents, writeAccountEvent } from "#lib/auth/credentials/account-event.ts";
import { hasPassword } from "#lib/auth/guards/confirm-person.ts";
import { listIdentities } from "#lib/auth/sign-in/identity.ts";
import { oidcName } from "#lib/auth/sign-in/oidc.ts";
import { countRecoveryCodes, isSecondFactorOn } from "#lib/auth/credentials/second-factor.ts";
import { listSessions } from "#lib/auth/sessions/session-list.ts";
import { revokeAllSessions, type Session } from "#lib/auth/sessions/session.ts";
import { database, type Database, inTransaction, isUniqueViolation } from "#lib/db/pool.ts";
import { forgetDevices, rememberDevice } from "#lib/auth/sessions/known-device.ts";
import { fieldFailure, tooManyAttemptsFailure } from "#lib/auth/field-failure.ts";
import { message } from "#lib/i18n/message.ts";
import { reserveAttempt } from "#lib/auth/credentials/throttle.ts";

export async function readAccount(session: Session) {
  const [db, { user }] = [database(), session];
  return {
    name: user.name,
    email: user.email,
    has_password: await hasPassword(db, user.id),
    /** The number of unused recovery codes; null while the second factor is off. */
    recovery_codes: (await isSecondFactorOn(db, user.id))
      ? await countRecoveryCodes(db, user.id)
      : null,
    sessions: await listSessions(db, session, new Date()),
    events: await listAccountEvents(db, user.id),
    /** The name of the configured sign-in provider; null without one. */
    provider: oidcName(),
    identities: await listIdentities(db, user.id),
  };
}

interface Change {
  user_id: string;
  address: string | null;
}

/**
 * Also ends the person's other sessions, pending sign-ins and reset links, and forgets their other
 * devices.
 * @returns how many sessions ended, and this browser's new device secret
 */
export function changePassword(
  pool: pg.Pool,
  given: Change & { password_hash: string; session: Buffer },
  now: Date,
): Promise<{ ended: number; device: string }> {
  const { user_id, password_hash, session, address } = given;
  return inTransaction(pool, async (client) => {
    await client.query("update app_user set password_hash = $2 where id = $1", [
      user_id,
      password_hash,
    ]);
    await client.query("delete from sign_in_challenge where user_id = $1", [user_id]);
    await forgetLinks(client, user_id);
    await writeAccountEvent(client, { user_id, kind: "password.change", address }, now);
    await forgetDevices(client, user_id);
    const device = await rememberDevice(client, { user_id, device: null }, now);
    return {
      ended: await revokeAllSessions(client, user_id, { except: session, now }),
      device,
    };
  });
}

/** @throws AppError on the field `email` if it is taken, or after too many attempts */
export async function changeEmail(
  pool: pg.Pool,
  { user_id, email, address }: Change & { email: string },
  now: Date,
): Promise<void> {
  // Throttled: it reveals which emails have an account, as signing up does.
  const subject = { limit: "making", of: ["email", user_id] } as const;
  const { wait_seconds } = await reserveAttempt(pool, [subject], now);
  if (wait_seconds > 0) throw tooManyAttemptsFailure("email", wait_seconds);
  await inTransaction(pool, async (client) => {
    await client.query("update app_user set email = $2 where id = $1", [user_id, email]);
    // Pending reset links are in a mailbox that the person may no longer own.
    await forgetLinks(client, user_id);
    await writeAccountEvent(client, { user_id, kind: "email.change", address }, now);
  }).catch((error: unknown) => {
    // Replaced, because the database's error would put the email into the log.
    if (isUniqueViolation(error)) throw fieldFailure("email", message("auth.knownEmail"));
    throw error;
  });
}

async function forgetLinks(db: Database, user_id: string) {
  await db.query("delete from password_reset where user_id = $1", [user_id]);
}

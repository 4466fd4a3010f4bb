import "server-only";
import type pg from "pg";
import { inTransaction, type Database, isTaken } from "#lib/db/pool.ts";
import { writeAccountEvent } from "./account-event.ts";
import { forgetDevices, rememberDevice } from "#lib/auth/sign-in/known-device.ts";
import { fieldFailure, waitFailure } from "#lib/auth/guards/field-failure.ts";
import { KNOWN } from "#lib/auth/sign-in/register.ts";
import { revokeSessionsOf } from "#lib/auth/sessions/session.ts";
import { reserveAttempt } from "./throttle.ts";

interface Change {
  user_id: string;
  address: string | null;
}

/**
 * Ends the person's other sessions, what was begun by the old password, and what other browsers are known by.
 * @returns how many sessions, and what this browser is known by from now on
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
    return { ended: await revokeSessionsOf(client, user_id, { except: session, now }), device };
  });
}

/** @throws AppError on the field `email` when somebody has it, or after too many of them */
export async function changeEmail(
  pool: pg.Pool,
  { user_id, email, address }: Change & { email: string },
  now: Date,
): Promise<void> {
  // It tells which emails have an account, as signing up does.
  const subject = { limit: "making", of: ["email", user_id] } as const;
  const { wait_seconds } = await reserveAttempt(pool, [subject], now);
  if (wait_seconds > 0) throw waitFailure("email", wait_seconds);
  await inTransaction(pool, async (client) => {
    await client.query("update app_user set email = $2 where id = $1", [user_id, email]);
    // They lie in a mailbox that may not be this person's any more.
    await forgetLinks(client, user_id);
    await writeAccountEvent(client, { user_id, kind: "email.change", address }, now);
  }).catch((error: unknown) => {
    // The error itself would put the email into the log.
    if (isTaken(error)) throw fieldFailure("email", KNOWN);
    throw error;
  });
}

async function forgetLinks(db: Database, user_id: string) {
  await db.query("delete from password_reset where user_id = $1", [user_id]);
}

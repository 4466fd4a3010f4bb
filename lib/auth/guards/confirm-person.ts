import "server-only";
import { concernsRow } from "#contract/process/database.ts";
import type pg from "pg";
import { database, type Database } from "#lib/db/pool.ts";
import { message } from "#lib/i18n/message.ts";
import { logSecurity } from "#lib/log.ts";
import { writeAccountEvent } from "#lib/auth/credentials/account-event.ts";
import { currentVisit } from "#lib/auth/sessions/cookies.ts";
import { fieldFailure, tooManyAttemptsFailure } from "#lib/auth/field-failure.ts";
import { isKnownDevice } from "#lib/auth/sessions/known-device.ts";
import { verifyPassword } from "#lib/auth/credentials/password.ts";
import type { Session } from "#lib/auth/sessions/session.ts";
import {
  hashNetwork,
  reserveAttempt,
  type ThrottleSubject,
} from "#lib/auth/credentials/throttle.ts";
import type { Visit } from "#lib/auth/sessions/visit.ts";

/** Whether the person has a password; people who sign in by a provider may have none. */
export const hasPassword = (db: Database, user_id: string) =>
  concernsRow(db, "select 1 from app_user where id = $1 and password_hash is not null", [
    user_id,
  ]);

const FRESH_MS = 15 * 60_000;

/**
 * Checks the password again before sensitive actions, against stolen sessions. People without a password
 * (they use the provider) must have signed in within the last 15 minutes.
 * @throws AppError on the field `current_password`
 */
export async function confirmPerson(
  pool: pg.Pool,
  { session, password, visit }: { session: Session; password: string; visit: Visit },
  now: Date,
): Promise<void> {
  const { id: user_id } = session.user;
  const { rows } = await pool.query<{ password_hash: string | null; begun_at: Date }>(
    `select u.password_hash, s.created_at as begun_at
       from session s join app_user u on u.id = s.user_id where s.id = $1`,
    [session.id],
  );
  const [row] = rows;
  if (row && row.password_hash === null) {
    if (now.getTime() - row.begun_at.getTime() < FRESH_MS) return;
    throw fieldFailure("current_password", message("auth.signInAnew"));
  }
  const { device } = visit;
  const isKnown = await isKnownDevice(pool, { user_id, device }, now);
  const subject: ThrottleSubject = {
    limit: "account_here",
    of: [user_id, "confirm", isKnown ? (device ?? "") : ""],
  };
  const { wait_seconds, release } = await reserveAttempt(pool, [subject], now);
  if (wait_seconds > 0) throw tooManyAttemptsFailure("current_password", wait_seconds);
  if (!(await verifyPassword(row?.password_hash ?? null, password))) {
    const { address } = visit;
    logSecurity("password.refused", { account: user_id, network: hashNetwork(address) });
    await writeAccountEvent(pool, { user_id, kind: "password.refused", address }, now);
    throw fieldFailure("current_password", message("auth.notYourPassword"));
  }
  await release(subject);
}

/** Calls confirmPerson with the visit of the current request. */
export async function confirmRequestPerson(session: Session, password: string): Promise<void> {
  const visit = await currentVisit();
  await confirmPerson(database(), { session, password, visit }, new Date());
}

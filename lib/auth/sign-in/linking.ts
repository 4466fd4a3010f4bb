import "server-only";
import type { Database } from "#lib/db/pool.ts";
import { findSession, type Session } from "#lib/auth/sessions/session.ts";
import { secretId } from "#lib/auth/sessions/visit.ts";

const LINKING_MS = 600_000;

/** Allows the session to link an account of the provider for ten minutes. */
export async function startLinking(db: Database, { id }: Session, now: Date): Promise<void> {
  await db.query("update session set linking_until = $2 where id = $1", [
    id,
    new Date(now.getTime() + LINKING_MS),
  ]);
}

/** Takes the pending link request of this browser, once; null if there is none. */
export async function takeLinking(
  db: Database,
  secret: string | null,
  now: Date,
): Promise<{ user_id: string; secret: string } | null> {
  if (secret === null || !(await findSession(db, secret, now))) return null;
  const { rows } = await db.query<{ user_id: string }>(
    `update session set linking_until = null where id = $1 and linking_until > $2
     returning user_id`,
    [secretId(secret), now],
  );
  return rows[0] ? { user_id: rows[0].user_id, secret } : null;
}

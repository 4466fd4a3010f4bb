import "server-only";
import type { Database } from "#lib/db/pool.ts";
import { IDLE_MS, type Session } from "./session.ts";

/** A session in its owner's list. */
export interface SessionEntry {
  /** Identifies the session in the list; it grants no access. */
  key: string;
  is_current: boolean;
  created_at: Date;
  last_seen_at: Date;
  user_agent: string | null;
  address: string | null;
}

/** Valid sessions, most recently used first. */
export async function listSessions(
  db: Database,
  { id, user }: Session,
  now: Date,
): Promise<SessionEntry[]> {
  const { rows } = await db.query<SessionEntry>(
    `select encode(id, 'hex') as key, id = $2 as is_current,
            created_at, last_seen_at, user_agent, address
       from session
      where user_id = $1 and revoked_at is null and expires_at > $3 and last_seen_at > $4
      order by id = $2 desc, last_seen_at desc`,
    [user.id, id, now, new Date(now.getTime() - IDLE_MS)],
  );
  return rows;
}

/** @returns false if the person has no such session */
export async function revokeSessionOf(
  db: Database,
  { user_id, key }: { user_id: string; key: string },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update session set revoked_at = $3
      where user_id = $1 and id = decode($2, 'hex') and revoked_at is null`,
    [user_id, key, now],
  );
  return rowCount === 1;
}

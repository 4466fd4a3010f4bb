import "server-only";
import { queryRows, concernsRow } from "#contract/process/database.ts";
import type pg from "pg";
import { type Database, inTransaction } from "#lib/db/pool.ts";
import { IDLE_MS, type Session } from "./session.ts";

/** A session in its owner's list. */
interface SessionEntry {
  /** Identifies the session in the list; it grants no access. */
  key: string;
  is_current: boolean;
  created_at: Date;
  last_seen_at: Date;
  user_agent: string | null;
  address: string | null;
}

/** Valid sessions: the current one, then the others, most recently used first. */
export const listSessions = (db: Database, { id, user }: Session, now: Date) =>
  queryRows<SessionEntry>(
    db,
    `select encode(id, 'hex') as key, id = $2 as is_current,
            created_at, last_seen_at, user_agent, address
       from session
      where user_id = $1 and revoked_at is null and expires_at > $3 and last_seen_at > $4
      order by id = $2 desc, last_seen_at desc`,
    [user.id, id, now, new Date(now.getTime() - IDLE_MS)],
  );

/** @returns false if the person has no such session */
export const revokeSessionOf = (
  db: Database,
  { user_id, key }: { user_id: string; key: string },
  now: Date,
) =>
  concernsRow(
    db,
    `update session set revoked_at = $3
      where user_id = $1 and id = decode($2, 'hex') and revoked_at is null`,
    [user_id, key, now],
  );

interface Ended {
  sessions: number;
  people: number;
}

/**
 * Ends the sessions of one person or of all people, with sign-ins that wait for their second step. Each person
 * sees it in their account's activity.
 * @param user_id null for all people
 */
export async function endSessions(
  pool: pg.Pool,
  user_id: string | null,
  now: Date,
): Promise<Ended> {
  return inTransaction(pool, async (client) => {
    await client.query("delete from sign_in_challenge where $1::uuid is null or user_id = $1", [
      user_id,
    ]);
    const { rows } = await client.query<{ user_id: string; sessions: number }>(
      `with ended as (
         update session set revoked_at = $2
          where revoked_at is null and expires_at > $2 and ($1::uuid is null or user_id = $1)
         returning user_id
       ), told as (
         insert into account_event (at, user_id, kind, address)
         select distinct $2::timestamptz, user_id, 'session.end_all', null from ended
       )
       select user_id, count(*)::int as sessions from ended group by user_id`,
      [user_id, now],
    );
    return {
      sessions: rows.reduce((sum, { sessions }) => sum + sessions, 0),
      people: rows.length,
    };
  });
}

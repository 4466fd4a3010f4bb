import "server-only";
import type pg from "pg";
import { inTransaction } from "#lib/db/pool.ts";

export interface Ended {
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

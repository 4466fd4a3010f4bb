import "server-only";
import { createHash, randomBytes } from "node:crypto";
import type { Database } from "#lib/db/pool.ts";
import type { Role } from "./permissions.ts";

const HOUR = 3_600_000;
export const SESSION_SECONDS = 7 * 24 * 3_600;
const IDLE_MS = 12 * HOUR;
const TOUCH_MS = 60_000;

export interface Session {
  user: { id: string; name: string; email: string };
  seller: { id: string; name: string; time_zone: string };
  role: Role;
}

interface SessionRow {
  user_id: string;
  user_name: string;
  email: string;
  seller_id: string;
  seller_name: string;
  time_zone: string;
  role: Role;
  last_seen_at: Date;
}

const idOf = (secret: string) => createHash("sha256").update(secret).digest();

/** Returns the 256-bit secret for the cookie; only its hash is kept. */
export async function createSession(
  db: Database,
  { user_id, seller_id }: { user_id: string; seller_id: string },
  now = new Date(),
): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  const expires = new Date(now.getTime() + SESSION_SECONDS * 1000);
  await db.query(
    `insert into session (id, user_id, seller_id, created_at, last_seen_at, expires_at)
     values ($1, $2, $3, $4, $4, $5)`,
    [idOf(secret), user_id, seller_id, now, expires],
  );
  return secret;
}

/** The session as it stands now, with the role as it is today; null when it is over. */
export async function findSession(
  db: Database,
  secret: string,
  now = new Date(),
): Promise<Session | null> {
  const { rows } = await db.query<SessionRow>(
    `select u.id as user_id, u.name as user_name, u.email, s.last_seen_at, m.role,
            seller.id as seller_id, seller.name as seller_name, seller.time_zone
       from session s
       join app_user u on u.id = s.user_id
       join seller on seller.id = s.seller_id
       join membership m on m.user_id = s.user_id and m.seller_id = s.seller_id
      where s.id = $1 and s.revoked_at is null and s.expires_at > $2 and s.last_seen_at > $3`,
    [idOf(secret), now, new Date(now.getTime() - IDLE_MS)],
  );
  const [row] = rows;
  if (!row) return null;
  if (now.getTime() - row.last_seen_at.getTime() > TOUCH_MS) {
    await db.query("update session set last_seen_at = $2 where id = $1", [idOf(secret), now]);
  }
  return {
    user: { id: row.user_id, name: row.user_name, email: row.email },
    seller: { id: row.seller_id, name: row.seller_name, time_zone: row.time_zone },
    role: row.role,
  };
}

export async function revokeSession(db: Database, secret: string, now = new Date()) {
  await db.query("update session set revoked_at = $2 where id = $1 and revoked_at is null", [
    idOf(secret),
    now,
  ]);
}

import "server-only";
import * as z from "zod";
import type { Database } from "#lib/db/pool.ts";
import { verifyPassword } from "./password.ts";
import { createSession } from "./session.ts";

const Credentials = z.object({
  email: z.string().trim().max(254),
  password: z.string().max(1_000),
});

interface Candidate {
  id: string;
  password_hash: string;
  seller_id: string | null;
}

/** The new session's secret, or null: the caller cannot tell which part was wrong. */
export async function signIn(
  db: Database,
  input: unknown,
  now = new Date(),
): Promise<string | null> {
  const { data } = Credentials.safeParse(input);
  if (!data) return null;
  const candidate = await findCandidate(db, data.email);
  const matches = await verifyPassword(candidate?.password_hash ?? null, data.password);
  if (!matches || !candidate?.seller_id) return null;
  return createSession(db, { user_id: candidate.id, seller_id: candidate.seller_id }, now);
}

async function findCandidate(db: Database, email: string): Promise<Candidate | undefined> {
  const { rows } = await db.query<Candidate>(
    `select u.id, u.password_hash,
            (select m.seller_id from membership m where m.user_id = u.id
              order by m.created_at limit 1) as seller_id
       from app_user u where lower(u.email) = lower($1)`,
    [email],
  );
  return rows[0];
}

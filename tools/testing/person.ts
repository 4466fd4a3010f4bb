import type pg from "pg";
import { vi } from "vitest";
import { hashPassword } from "#lib/auth/credentials/password.ts";
import type { Visit } from "#lib/auth/sessions/visit.ts";

/** Sets the environment variables that the dashboard reads; call it at the head of a test file. */
export function stubEnvironment(changes: Record<string, string> = {}) {
  const variables = {
    DATABASE_URL: "postgresql://unused",
    NEXTAUTH_SECRET: "0123456789abcdef",
    NEXTAUTH_URL: "http://localhost:3000",
    API_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    ...changes,
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

export const PASSWORD = "right password";

let made = 0;

/** Creates a user without a seller. */
export async function createPerson(pool: pg.Pool) {
  made += 1;
  const email = `Person${made}@Example.com`;
  const { rows } = await pool.query<{ id: string }>(
    "insert into app_user (email, name, password_hash) values ($1, 'Asha', $2) returning id",
    [email, await hashPassword(PASSWORD)],
  );
  const id = rows[0]?.id;
  if (!id) throw new Error("the user was not created");
  return { id, email };
}

export function visitFrom(address: string | null, changes: Partial<Visit> = {}): Visit {
  return {
    address,
    user_agent: "test",
    device: null,
    challenge: null,
    session: null,
    ...changes,
  };
}

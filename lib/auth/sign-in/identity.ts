import "server-only";
import { concernsRow, queryRows, queryValue } from "#contract/process/database.ts";
import type pg from "pg";
import { failureOf } from "#lib/failure.ts";
import type { Database } from "#lib/db/pool.ts";
import { writeAccountEvent } from "#lib/auth/credentials/account-event.ts";
import { sanitizePersonName } from "#lib/auth/credentials/person-fields.ts";
import { hashSessionSecret, type Visit } from "#lib/auth/sessions/visit.ts";
import { findSession, type Session } from "#lib/auth/sessions/session.ts";
import { canSignUp, insertAccountWithInvitation } from "./sign-up.ts";
import { continueSignIn, type SignInOutcome } from "./sign-in.ts";

/** A person's claims from the OpenID Connect provider; issuer and subject identify them. */
export interface Claims {
  issuer: string;
  subject: string;
  email: string | null;
  email_verified: boolean;
  name: string | null;
}

/** `KnownEmail`: an account with the email exists, and only its owner may link it. */
type Refusal = { kind: "refused"; why: "KnownEmail" | "NoEmail" | "NotInvited" };

/**
 * Never links an existing account by its email: the provider's claim does not prove ownership of that account.
 */
export async function signInByIdentity(
  pool: pg.Pool,
  claims: Claims,
  { visit, callbackPath }: { visit: Visit; callbackPath: string },
  now: Date,
): Promise<SignInOutcome | Refusal> {
  const known = await findLinked(pool, claims);
  const isLinkedTo = (user_id: string) => async (client: Database) =>
    (await findLinked(client, claims)) === user_id;
  if (known !== null) return continueSignIn(pool, known, visit, now, isLinkedTo(known));
  if (!claims.email || !claims.email_verified) return { kind: "refused", why: "NoEmail" };
  if (!(await canSignUp(pool, callbackPath, now)))
    return { kind: "refused", why: "NotInvited" };
  const { email } = claims;
  const user_id = await insertAccountWithInvitation(pool, { callbackPath, now }, (client) =>
    createUserOf(client, { ...claims, email }, now),
  ).catch((error: unknown) => {
    if (failureOf(error).kind === "forbidden") return "NotInvited" as const;
    throw error;
  });
  if (user_id === "NotInvited") return { kind: "refused", why: user_id };
  if (user_id === null) return { kind: "refused", why: "KnownEmail" };
  await writeAccountEvent(
    pool,
    { user_id, kind: "account.create", address: visit.address },
    now,
  );
  return continueSignIn(pool, user_id, visit, now, isLinkedTo(user_id));
}

/** @returns false if another account has this identity */
export async function linkIdentity(
  pool: pg.Pool,
  { issuer, subject, email }: Claims,
  { user_id, address }: { user_id: string; address: string | null },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `insert into external_identity (issuer, subject, user_id, email, linked_at)
     values ($1, $2, $3, $4, $5) on conflict (issuer, subject) do nothing`,
    [issuer, subject, user_id, email, now],
  );
  if (!rowCount) return (await findLinked(pool, { issuer, subject })) === user_id;
  await writeAccountEvent(pool, { user_id, kind: "identity.link", address }, now);
  return true;
}

/** @returns false if the person has no such link */
export const unlinkIdentity = (
  db: Database,
  { issuer, subject, user_id }: { issuer: string; subject: string; user_id: string },
) =>
  concernsRow(
    db,
    "delete from external_identity where issuer = $1 and subject = $2 and user_id = $3",
    [issuer, subject, user_id],
  );

interface LinkedIdentity {
  issuer: string;
  subject: string;
  email: string | null;
  linked_at: Date;
}

export const listIdentities = (db: Database, user_id: string) =>
  queryRows<LinkedIdentity>(
    db,
    `select issuer, subject, email, linked_at from external_identity
      where user_id = $1 order by linked_at`,
    [user_id],
  );

const findLinked = (db: Database, { issuer, subject }: Pick<Claims, "issuer" | "subject">) =>
  queryValue<string>(
    db,
    "select user_id from external_identity where issuer = $1 and subject = $2",
    [issuer, subject],
  );

/**
 * Creates a user and its identity in one statement, so that no account exists without a way to sign
 * in.
 */
const createUserOf = (
  db: Database,
  { issuer, subject, email, name }: Claims & { email: string },
  now: Date,
) =>
  queryValue<string>(
    db,
    `with made as (
       insert into app_user (email, name, created_at) values ($3, $4, $5)
       on conflict do nothing returning id
     ), linked as (
       insert into external_identity (issuer, subject, user_id, email, linked_at)
       select $1, $2, id, $3, $5 from made
     )
     select id from made`,
    [issuer, subject, email.trim(), sanitizePersonName(name ?? "") || email.trim(), now],
  );

const LINKING_MS = 600_000;

/** Allows the session to link an account of the provider for ten minutes. */
export async function startLinking(db: Database, { id }: Session, now: Date): Promise<void> {
  await db.query("update session set linking_until = $2 where id = $1", [
    id,
    new Date(now.getTime() + LINKING_MS),
  ]);
}

/** Takes the pending link request of this browser, once; null if there is none. */
export async function consumeLinkRequest(
  db: Database,
  secret: string | null,
  now: Date,
): Promise<{ user_id: string; secret: string } | null> {
  if (secret === null || !(await findSession(db, secret, now))) return null;
  const { rows } = await db.query<{ user_id: string }>(
    `update session set linking_until = null where id = $1 and linking_until > $2
     returning user_id`,
    [hashSessionSecret(secret), now],
  );
  return rows[0] ? { user_id: rows[0].user_id, secret } : null;
}

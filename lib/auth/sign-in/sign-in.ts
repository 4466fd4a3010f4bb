import "server-only";
import type pg from "pg";
import * as z from "zod";
import { inTransaction, type Database } from "#lib/db/pool.ts";
import { isPublishedPasswordOffHere } from "#lib/env.ts";
import { logSecurity } from "#lib/log.ts";
import { writeAccountEvent } from "#lib/auth/credentials/account-event.ts";
import { networkOf } from "#contract/process/network.ts";
import {
  knownDeviceCutoff,
  isDeviceOf,
  rememberDevice,
} from "#lib/auth/sessions/known-device.ts";
import {
  hashPassword,
  isOutdatedHash,
  verifyPassword,
} from "#lib/auth/credentials/password.ts";
import {
  isPublishedPassword,
  isPublishedPasswordClosedSql,
  PUBLISHED_HASH,
} from "#lib/auth/sessions/published-password.ts";
import { isSecondFactorOn } from "#lib/auth/credentials/second-factor.ts";
import { createSession } from "#lib/auth/sessions/session.ts";
import {
  hashNetwork,
  reserveAttempt,
  type ThrottleSubject,
} from "#lib/auth/credentials/throttle.ts";
import { newSecret, hashSessionSecret, type Visit } from "#lib/auth/sessions/visit.ts";

export type SignInOutcome =
  | { kind: "signed_in"; secret: string; device: string }
  /** The browser keeps the challenge until the second step. */
  | { kind: "second_factor"; challenge: string }
  | { kind: "wait"; seconds: number }
  | { kind: "refused" };

const Credentials = z.object({
  email: z.string().trim().max(254),
  password: z.string().max(1_000),
});

export const CHALLENGE_SECONDS = 600;

/** Does not reveal whether the email or the password was wrong. Counts the attempt before hashing. */
export async function signIn(
  pool: pg.Pool,
  input: unknown,
  visit: Visit,
  now: Date,
): Promise<SignInOutcome> {
  const { data } = Credentials.safeParse(input);
  if (!data) return { kind: "refused" };
  const candidate = await findCandidate(pool, { email: data.email, device: visit.device }, now);
  const account = candidate?.id ?? data.email.toLowerCase();
  const subjects = subjectsOf(account, visit, candidate?.is_known_device ?? false);
  const reserved = await reserveAttempt(pool, subjects, now);
  const tell = (reason: string) =>
    logSecurity("sign_in.refused", {
      reason,
      account: candidate?.id,
      network: hashNetwork(visit.address),
    });
  if (reserved.wait_seconds > 0) {
    tell("limit");
    return { kind: "wait", seconds: reserved.wait_seconds };
  }
  const matches = await verifyPassword(candidate?.password_hash ?? null, data.password);
  if (!matches || !candidate?.password_hash) {
    tell(candidate ? "password" : "unknown");
    return { kind: "refused" };
  }
  const verified = { id: candidate.id, password_hash: candidate.password_hash };
  const password_hash = await upgradeHash(pool, verified, data.password);
  const outcome = await continueSignIn(pool, candidate.id, visit, now, async (client) => {
    const account = await findAccountState(client, { ...verified, password_hash });
    if (account?.is_shut === false) return true;
    tell(account ? "published" : "changed");
    return false;
  });
  if (outcome.kind !== "refused") await reserved.release(subjects[0]);
  return outcome;
}

/** Checks inside the transaction that the password or identity is still valid. */
type StillValid = (client: Database) => Promise<boolean>;

/** Continues after the first step: asks for the code if the person uses one, else starts a session. */
export function continueSignIn(
  pool: pg.Pool,
  user_id: string,
  visit: Visit,
  now: Date,
  isStillValid: StillValid,
): Promise<SignInOutcome> {
  return withLockedAccount(pool, user_id, isStillValid, async (client) =>
    (await isSecondFactorOn(client, user_id))
      ? { kind: "second_factor", challenge: await createChallenge(client, user_id, now) }
      : beginSession(client, user_id, visit, now),
  );
}

/**
 * Locks the account row: an earlier password change is seen by `isStillValid`, a later one ends the new session.
 */
export function withLockedAccount<Outcome>(
  pool: pg.Pool,
  user_id: string,
  isStillValid: StillValid,
  begin: (client: Database) => Promise<Outcome>,
): Promise<Outcome | { kind: "refused" }> {
  return inTransaction(pool, async (client) => {
    await client.query("select from app_user where id = $1 for share", [user_id]);
    return (await isStillValid(client)) ? begin(client) : { kind: "refused" };
  });
}

export async function beginSession(
  db: Database,
  user_id: string,
  visit: Visit,
  now: Date,
): Promise<SignInOutcome & { kind: "signed_in" }> {
  const { address, user_agent, device, session: replaced } = visit;
  const secret = await createSession(db, { user_id, user_agent, address, replaced }, now);
  await writeAccountEvent(db, { user_id, kind: "session.begin", address }, now);
  return {
    kind: "signed_in",
    secret,
    device: await rememberDevice(db, { user_id, device }, now),
  };
}

/** Known devices have their own counter, so that attacks from elsewhere do not lock them out. */
function subjectsOf(
  account: string,
  { address, device }: Visit,
  isKnown: boolean,
): ThrottleSubject[] {
  const network = networkOf(address);
  if (isKnown) return [{ limit: "account_here", of: [account, "device", device ?? ""] }];
  return [
    { limit: "account_here", of: [account, "network", network] },
    { limit: "account_anywhere", of: [account] },
    { limit: "network", of: [network] },
  ];
}

async function createChallenge(db: Database, user_id: string, now: Date): Promise<string> {
  const challenge = newSecret();
  await db.query("delete from sign_in_challenge where expires_at <= $1", [now]);
  await db.query(
    "insert into sign_in_challenge (id, user_id, expires_at) values ($1, $2, $3)",
    [hashSessionSecret(challenge), user_id, new Date(now.getTime() + CHALLENGE_SECONDS * 1000)],
  );
  return challenge;
}

interface Candidate {
  id: string;
  password_hash: string | null;
  is_known_device: boolean;
}

const FIND_CANDIDATE = `select u.id, u.password_hash,
            exists (select from known_device
                     where ${isDeviceOf({ id: "$2", user: "u.id", since: "$3" })}) as is_known_device
       from app_user u where lower(u.email) = lower($1)`;

async function findCandidate(
  pool: pg.Pool,
  { email, device }: { email: string; device: string | null },
  now: Date,
): Promise<Candidate | undefined> {
  const { rows } = await pool.query<Candidate>({
    name: "candidate",
    text: FIND_CANDIDATE,
    values: [email, hashSessionSecret(device ?? ""), knownDeviceCutoff(now)],
  });
  return rows[0];
}

interface Verified {
  id: string;
  password_hash: string;
}

/**
 * Hashes again if the hash is outdated; the published password always gets its one fixed hash.
 * @returns the stored hash
 */
async function upgradeHash(pool: pg.Pool, { id, password_hash }: Verified, password: string) {
  const upgraded = isPublishedPassword(password)
    ? PUBLISHED_HASH
    : isOutdatedHash(password_hash)
      ? await hashPassword(password)
      : password_hash;
  if (upgraded === password_hash) return upgraded;
  const { rowCount } = await pool.query(
    "update app_user set password_hash = $3 where id = $1 and password_hash = $2",
    [id, password_hash, upgraded],
  );
  if (rowCount === 1) return upgraded;
  // A concurrent sign-in upgraded the hash, or the password was changed.
  const { rows } = await pool.query<{ password_hash: string | null }>(
    "select password_hash from app_user where id = $1",
    [id],
  );
  const stored = rows[0]?.password_hash ?? null;
  return stored !== null && (await verifyPassword(stored, password)) ? stored : upgraded;
}

const ACCOUNT_STATE = `select ${isPublishedPasswordClosedSql({ user: "u", isOff: "$3" })} as is_shut
       from app_user u where u.id = $1 and u.password_hash = $2`;

async function findAccountState(
  client: Database,
  { id, password_hash }: Verified,
): Promise<{ is_shut: boolean } | undefined> {
  const { rows } = await client.query<{ is_shut: boolean }>({
    name: "standing",
    text: ACCOUNT_STATE,
    values: [id, password_hash, isPublishedPasswordOffHere()],
  });
  return rows[0];
}

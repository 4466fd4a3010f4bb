import "server-only";
import { queryValue } from "#contract/process/database.ts";
import type pg from "pg";
import * as z from "zod";
import type { EncryptionKeys } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { logSecurity } from "#lib/log.ts";
import { writeAccountEvent } from "#lib/auth/credentials/account-event.ts";
import { isKnownDevice } from "#lib/auth/sessions/known-device.ts";
import { consumeSecondFactorCode } from "#lib/auth/credentials/second-factor.ts";
import { beginSession, withLockedAccount, type SignInOutcome } from "./sign-in.ts";
import {
  hashNetwork,
  reserveAttempt,
  type ThrottleSubject,
} from "#lib/auth/credentials/throttle.ts";
import { hashSessionSecret, type Visit } from "#lib/auth/sessions/visit.ts";

type CodeOutcome = Exclude<SignInOutcome, { kind: "second_factor" }> | { kind: "expired" };

const Input = z.object({ code: z.string().trim().min(1).max(64) });

/** Second step of a sign-in: checks the code in the browser that passed the first step. */
export async function signInByCode(
  pool: pg.Pool,
  input: unknown,
  { visit, keys }: { visit: Visit; keys: EncryptionKeys },
  now: Date,
): Promise<CodeOutcome> {
  const user_id = await findChallengedPerson(pool, visit.challenge, now);
  if (user_id === null) return { kind: "expired" };
  const code = Input.safeParse(input).data?.code ?? "";
  const outcome = await checkCode(pool, { user_id, code, visit, keys }, now);
  if (outcome !== "taken") return outcome;
  const begun = await withLockedAccount(
    pool,
    user_id,
    // No challenge is left if a password change deleted it.
    async (client) => (await takeChallenges(client, user_id)) > 0,
    (client) => beginSession(client, user_id, visit, now),
  );
  return begun.kind === "refused" ? { kind: "expired" } : begun;
}

async function takeChallenges(client: Database, user_id: string): Promise<number> {
  const { rowCount } = await client.query("delete from sign_in_challenge where user_id = $1", [
    user_id,
  ]);
  return rowCount ?? 0;
}

interface Check {
  user_id: string;
  code: string;
  visit: Visit;
  keys: EncryptionKeys;
}

/** Throttled, so that someone who knows the password cannot try all codes. */
export async function checkCode(
  pool: pg.Pool,
  { user_id, code, visit, keys }: Check,
  now: Date,
): Promise<"taken" | { kind: "wait"; seconds: number } | { kind: "refused" }> {
  const { address, device } = visit;
  const isKnown = await isKnownDevice(pool, { user_id, device }, now);
  const subject: ThrottleSubject = {
    limit: "code",
    of: isKnown ? [user_id, "device", device ?? ""] : [user_id],
  };
  const reserved = await reserveAttempt(pool, [subject], now);
  if (reserved.wait_seconds > 0) return { kind: "wait", seconds: reserved.wait_seconds };
  const taken = await consumeSecondFactorCode(pool, { user_id, code, keys }, now);
  if (taken === null) {
    logSecurity("code.refused", { account: user_id, network: hashNetwork(address) });
    await writeAccountEvent(pool, { user_id, kind: "second_factor.refused", address }, now);
    return { kind: "refused" };
  }
  await reserved.release(subject);
  if (taken === "recovery")
    await writeAccountEvent(pool, { user_id, kind: "recovery_code.use", address }, now);
  return "taken";
}

/** The person whose second step is pending in this browser. */
export async function findChallengedPerson(
  db: Database,
  challenge: string | null,
  now = new Date(),
): Promise<string | null> {
  if (challenge === null) return null;
  return queryValue<string>(
    db,
    "select user_id from sign_in_challenge where id = $1 and expires_at > $2",
    [hashSessionSecret(challenge), now],
  );
}

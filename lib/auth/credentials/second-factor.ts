import "server-only";
import { queryValue, concernsRow } from "#contract/process/database.ts";
import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type pg from "pg";
import {
  encryptionKeyOf,
  type EncryptionKeys,
  encryptionKeyIdOf,
  openSecret,
  sealSecret,
} from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { deriveKey } from "#lib/crypto/derived-key.ts";
import { tooManyAttemptsFailure } from "#lib/auth/field-failure.ts";
import { reserveAttempt, type ThrottleSubject } from "./throttle.ts";
import { hashSessionSecret } from "#lib/auth/sessions/visit.ts";

const PERIOD = 30;
const RECOVERY_CODES = 10;

interface Row {
  user_id: string;
  sealed_secret: Buffer;
  key_id: string;
  confirmed_at: Date | null;
}

const sealingKey = (encryptionKey: Buffer) => deriveKey(encryptionKey, "second factor");

const IS_ON = "select 1 from second_factor where user_id = $1 and confirmed_at is not null";

export async function isSecondFactorOn(db: Database, user_id: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "second_factor_on",
    text: IS_ON,
    values: [user_id],
  });
  return rowCount === 1;
}

/**
 * Creates a secret that is not used until a code confirms it. Returns null if the second factor is
 * already on.
 */
export async function beginSecondFactor(
  db: Database,
  { id: user_id, email }: { id: string; email: string },
  [encryptionKey]: EncryptionKeys,
): Promise<{ secret: string; uri: string } | null> {
  const secret = new Secret({ size: 20 });
  const { rowCount } = await db.query(
    `insert into second_factor (user_id, sealed_secret, key_id) values ($1, $2, $3)
     on conflict (user_id) do update
        set sealed_secret = excluded.sealed_secret, key_id = excluded.key_id
      where second_factor.confirmed_at is null`,
    [
      user_id,
      sealSecret(Buffer.from(secret.base32), sealingKey(encryptionKey), user_id),
      encryptionKeyIdOf(encryptionKey),
    ],
  );
  if (rowCount !== 1) return null;
  const uri = new TOTP({ issuer: "Duebook", label: email, secret, period: PERIOD }).toString();
  return { secret: secret.base32, uri };
}

/**
 * Turns on the pending second factor; one that is already on stays, with its recovery codes.
 * @returns the recovery codes, to be shown once; null for a wrong code, or if it was on already
 * @throws AppError on the field `code` after too many attempts
 */
export async function confirmSecondFactor(
  pool: pg.Pool,
  { user_id, code, keys }: { user_id: string; code: string; keys: EncryptionKeys },
  now: Date,
): Promise<string[] | null> {
  // A stolen session must not be able to try all codes of a pending secret.
  const subject: ThrottleSubject = { limit: "code", of: [user_id, "set up"] };
  const { wait_seconds, release } = await reserveAttempt(pool, [subject], now);
  if (wait_seconds > 0) throw tooManyAttemptsFailure("code", wait_seconds);
  if (await isSecondFactorOn(pool, user_id)) return null;
  if (!(await takeTotp(pool, { user_id, code, keys }, now))) return null;
  const { rowCount } = await pool.query(
    "update second_factor set confirmed_at = $2 where user_id = $1 and confirmed_at is null",
    [user_id, now],
  );
  if (rowCount !== 1) return null;
  await release(subject);
  return renewRecoveryCodes(pool, user_id);
}

/** Accepts a code of the app or a recovery code, each once. Returns null if it is neither. */
export async function consumeSecondFactorCode(
  db: Database,
  { user_id, code, keys }: { user_id: string; code: string; keys: EncryptionKeys },
  now: Date,
): Promise<"app" | "recovery" | null> {
  const typed = code.replace(/[\s-]/g, "");
  if (/^\d{6}$/.test(typed))
    return (await takeTotp(db, { user_id, code: typed, keys }, now)) ? "app" : null;
  const { rowCount } = await db.query(
    "delete from recovery_code where user_id = $1 and hash = $2",
    [user_id, recoveryHash(user_id, typed)],
  );
  return rowCount === 1 ? "recovery" : null;
}

export async function switchOffSecondFactor(db: Database, user_id: string): Promise<void> {
  await db.query("delete from second_factor where user_id = $1", [user_id]);
  await db.query("delete from recovery_code where user_id = $1", [user_id]);
}

/** Replaces all recovery codes by ten new ones of 120 bits each, so a plain hash is enough. */
export async function renewRecoveryCodes(db: Database, user_id: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const text = new Secret({ buffer: Uint8Array.from(randomBytes(15)).buffer }).base32;
    return text.match(/.{4}/g)?.join("-") ?? text;
  });
  await db.query(
    `with old as (delete from recovery_code where user_id = $1)
     insert into recovery_code (user_id, hash) select $1, unnest($2::bytea[])`,
    [user_id, codes.map((code) => recoveryHash(user_id, code.replaceAll("-", "")))],
  );
  return codes;
}

export async function countRecoveryCodes(db: Database, user_id: string): Promise<number> {
  return (
    (await queryValue<number>(
      db,
      "select count(*)::int as count from recovery_code where user_id = $1",
      [user_id],
    )) ?? 0
  );
}

/** A secret under the current encryption key; null if no given key opens it. */
export function resealSecondFactor(
  row: Pick<Row, "user_id" | "sealed_secret" | "key_id">,
  keys: EncryptionKeys,
): Buffer | null {
  const secret = openRow(row, keys);
  return secret === null
    ? null
    : sealSecret(Buffer.from(secret), sealingKey(keys[0]), row.user_id);
}

const recoveryHash = (user_id: string, code: string) =>
  hashSessionSecret(`${user_id}:${code.toUpperCase()}`);

async function takeTotp(
  db: Database,
  { user_id, code, keys }: { user_id: string; code: string; keys: EncryptionKeys },
  now: Date,
): Promise<boolean> {
  const { rows } = await db.query<Row>("select * from second_factor where user_id = $1", [
    user_id,
  ]);
  const secret = rows[0] && openRow(rows[0], keys);
  if (!secret) return false;
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD });
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: 1 });
  if (delta === null) return false;
  const step = totp.counter({ timestamp }) + delta;
  // Of two concurrent uses of one code, the statement lets one pass.
  return concernsRow(
    db,
    "update second_factor set last_step = $2 where user_id = $1 and last_step < $2",
    [user_id, step],
  );
}

function openRow(
  row: Pick<Row, "user_id" | "sealed_secret" | "key_id">,
  keys: EncryptionKeys,
): string | null {
  const key = encryptionKeyOf(row.key_id, keys);
  if (!key) return null;
  try {
    return openSecret(row.sealed_secret, sealingKey(key), row.user_id).toString();
  } catch {
    return null;
  }
}

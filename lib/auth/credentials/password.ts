import "server-only";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { createHash } from "node:crypto";
import { createTurns } from "#contract/process/turns.ts";
import type { Database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import { message } from "#lib/i18n/message.ts";
import { fieldFailure } from "#lib/auth/field-failure.ts";
import { isPublishedPassword } from "#lib/auth/sessions/published-password.ts";
import { consistsOfNames, passwordProblem } from "#lib/auth/rules.ts";
import { logLine } from "#lib/log.ts";
import commonPasswords from "./common-passwords.json" with { type: "json" };

// OWASP's argon2id setting; the algorithm is the library's default.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
// Each hash takes a processor core for 10 ms or more; one stays free to render pages.
const inTurn = createTurns({
  atOnce: Math.max(1, Math.min(4, availableParallelism() - 1)),
});

// The hash of a discarded password, so that the check takes as long for unknown users.
const UNKNOWN_USER_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$oEQM8lQ/FiwYDnk8qaknmw$sgcD39Y7uUa/K//JK/KCbqNlQZV8Q2CuMo5Hsg5j2mc";

const SETTING = "$argon2id$v=19$m=19456,t=2,p=1$";

/** Systems encode some characters, such as é, in different ways. */
const normalise = (password: string) => password.normalize("NFC");

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalise(password), COST));
}

/** Whether a hash has older parameters; the next sign-in replaces it. */
export const isOutdatedHash = (stored: string) => !stored.startsWith(SETTING);

/**
 * Pass null for a user who does not exist or has no password: the check then takes as long as for
 * others.
 */
export async function verifyPassword(
  stored: string | null,
  password: string,
): Promise<boolean> {
  const matches = await inTurn(() => verify(stored ?? UNKNOWN_USER_HASH, normalise(password)));
  return matches && stored !== null;
}

// The 3,000 most common passwords of at least 8 characters, from @zxcvbn-ts/language-common (MIT).
const COMMON = new Set(commonPasswords);

interface Chooser {
  email: string;
  /** Names of the person's sellers, as far as known. */
  sellers: readonly string[];
}

/** @throws AppError with the reason on the field `password` if it is not accepted */
export async function hashNewPassword(password: string, chooser: Chooser): Promise<string> {
  const problem = problemOf(password, chooser) ?? (await breachOf(password));
  if (problem !== null) throw fieldFailure("password", problem);
  return hashPassword(password);
}

function problemOf(password: string, { email, sellers }: Chooser): string | null {
  const problem = passwordProblem(password, email);
  if (problem !== null) return problem;
  if (consistsOfNames(password, ["Duebook", ...sellers]))
    return message("fields.password.holdsName");
  return COMMON.has(password.toLowerCase()) || isPublishedPassword(password)
    ? message("fields.password.common")
    : null;
}

async function breachOf(password: string): Promise<string | null> {
  const { BREACHED_PASSWORDS_URL: url } = env();
  return url && (await isBreached(password, url)) ? message("fields.password.breached") : null;
}

export async function listSellerNames(db: Database, user_id: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    "select s.name from membership m join seller s on s.id = m.seller_id where m.user_id = $1",
    [user_id],
  );
  return rows.map(({ name }) => name);
}

const TIMEOUT_MS = 2_000;

/**
 * Whether a breached-passwords service knows the password (k-anonymity: only the first five of the forty digits
 * of its SHA-1 are sent; the answer has all suffixes and some padding). False if the service does not answer.
 * @param url the service's URL before the five digits
 */
export async function isBreached(
  password: string,
  url: string,
  timeout = TIMEOUT_MS,
): Promise<boolean> {
  const digits = createHash("sha1").update(normalise(password)).digest("hex").toUpperCase();
  try {
    const response = await fetch(`${url.replace(/\/+$/, "")}/${digits.slice(0, 5)}`, {
      headers: { "add-padding": "true" },
      redirect: "error",
      signal: AbortSignal.timeout(timeout),
    });
    if (!response.ok) throw new Error("refused");
    return holds(await response.text(), digits.slice(5));
  } catch {
    logLine("BREACHED_PASSWORDS_URL did not answer: a new password was not looked up");
    return false;
  }
}

/** Padding entries have a count of 0. */
const holds = (lines: string, wanted: string) =>
  lines.split("\n").some((line) => {
    const [rest = "", count = ""] = line.trim().split(":");
    return rest.toUpperCase() === wanted && Number(count) > 0;
  });

import "server-only";
import type { Database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import { message } from "#lib/i18n/message.ts";
import { isBreached } from "./breached-passwords.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { fieldFailure } from "#lib/auth/field-failure.ts";
import { hashPassword } from "./password.ts";
import { isPublishedPassword } from "#lib/auth/sessions/published-password.ts";
import { isNamesAlone, passwordProblem } from "#lib/auth/rules.ts";

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
  if (isNamesAlone(password, ["Duebook", ...sellers]))
    return message("fields.password.holdsName");
  return isCommonPassword(password) || isPublishedPassword(password)
    ? message("fields.password.common")
    : null;
}

async function breachOf(password: string): Promise<string | null> {
  const { BREACHED_PASSWORDS_URL: url } = env();
  return url && (await isBreached(password, url)) ? message("fields.password.breached") : null;
}

/** The names of a person's sellers. */
export async function listSellerNames(db: Database, user_id: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    "select s.name from membership m join seller s on s.id = m.seller_id where m.user_id = $1",
    [user_id],
  );
  return rows.map(({ name }) => name);
}

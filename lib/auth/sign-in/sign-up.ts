import "server-only";
import { queryValue } from "#contract/process/database.ts";
import type pg from "pg";
import { AppError } from "#lib/failure.ts";
import { inTransaction, type Database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import { message } from "#lib/i18n/message.ts";
import { writeAccountEvent } from "#lib/auth/credentials/account-event.ts";
import { fieldFailure } from "#lib/auth/field-failure.ts";
import { findInvitation, type Invitation } from "./invitation.ts";
import { hashNewPassword } from "#lib/auth/credentials/password.ts";

/** Whether SIGN_UP is open, or the callback path has an open invitation that created no account yet. */
export async function canSignUp(
  db: Database,
  callbackPath: string,
  now = new Date(),
): Promise<boolean> {
  if (env().SIGN_UP === "open") return true;
  const invitation = await findInvitationOf(db, callbackPath, now);
  return invitation?.state === "open" && !invitation.has_registered;
}

/**
 * Creates an account and uses up the invitation if SIGN_UP requires one: of several concurrent uses of an
 * invitation, one succeeds. @param make runs in the transaction; returns null if it creates no account
 * @throws AppError `forbidden`
 */
export function insertAccountWithInvitation(
  pool: pg.Pool,
  { callbackPath, now }: { callbackPath: string; now: Date },
  make: (client: Database) => Promise<string | null>,
): Promise<string | null> {
  return inTransaction(pool, async (client) => {
    const user_id = await make(client);
    if (user_id === null || env().SIGN_UP === "open") return user_id;
    const invitation = await findInvitationOf(client, callbackPath, now);
    const { rowCount } = await client.query(
      "update invitation set registered_at = $2 where id = $1 and registered_at is null",
      [invitation?.state === "open" ? invitation.id : null, now],
    );
    if (rowCount !== 1) throw new AppError({ kind: "forbidden" });
    return user_id;
  });
}

/** The invitation in the callback path, if any. */
async function findInvitationOf(
  db: Database,
  callbackPath: string,
  now: Date,
): Promise<Invitation | null> {
  const token = /^\/invitation\/([\w-]+)$/.exec(callbackPath)?.[1];
  return token === undefined ? null : findInvitation(db, token, now);
}

interface Given {
  name: string;
  email: string;
  password: string;
  address: string | null;
  callbackPath: string;
}

/** @throws AppError on an invalid field, or `forbidden` without a required invitation */
export async function signUp(pool: pg.Pool, given: Given, now: Date): Promise<string> {
  const { name, email, password, address, callbackPath } = given;
  if (!(await canSignUp(pool, callbackPath, now))) throw new AppError({ kind: "forbidden" });
  const invitation = await findInvitationOf(pool, callbackPath, now);
  const sellers = invitation ? [invitation.seller.name] : [];
  const password_hash = await hashNewPassword(password, { email, sellers });
  const user_id = await insertAccountWithInvitation(
    pool,
    { callbackPath, now },
    async (client) => {
      return queryValue<string>(
        client,
        `insert into app_user (email, name, password_hash, created_at) values ($1, $2, $3, $4)
       on conflict do nothing returning id`,
        [email, name, password_hash, now],
      );
    },
  );
  if (user_id === null) throw fieldFailure("email", message("auth.knownEmail"));
  await writeAccountEvent(pool, { user_id, kind: "account.create", address }, now);
  return user_id;
}

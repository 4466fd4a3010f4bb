import "server-only";
import type pg from "pg";
import type { Database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import { message } from "#lib/i18n/message.ts";
import { writeAccountEvent } from "./account-event.ts";
import { fieldFailure } from "./field-failure.ts";
import { findInvitation, type Invitation } from "./invitation.ts";
import { hashNewPassword } from "./new-password.ts";

/** By SIGN_UP everybody may make an account, or only who follows an open invitation. */
export async function mayRegister(
  db: Database,
  callbackPath: string,
  now = new Date(),
): Promise<boolean> {
  if (env().SIGN_UP === "open") return true;
  return (await invitationOf(db, callbackPath, now))?.state === "open";
}

/** The invitation that the path leads to, if it does. */
export async function invitationOf(
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
  /** Who invites, by name. */
  sellers?: string[];
}

/** @throws BillingError on the field that will not do */
export async function register(pool: pg.Pool, given: Given, now: Date): Promise<string> {
  const { name, email, password, address, sellers = [] } = given;
  const { rows } = await pool.query<{ id: string }>(
    `insert into app_user (email, name, password_hash, created_at) values ($1, $2, $3, $4)
     on conflict do nothing returning id`,
    [email, name, await hashNewPassword(password, { email, sellers }), now],
  );
  const user_id = rows[0]?.id;
  if (!user_id) throw fieldFailure("email", KNOWN);
  await writeAccountEvent(pool, { user_id, kind: "account.create", address }, now);
  return user_id;
}

export const KNOWN = message("auth.knownEmail");

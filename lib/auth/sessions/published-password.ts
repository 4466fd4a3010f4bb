import { concernsRow } from "#contract/process/database.ts";
import type { Database } from "#lib/db/pool.ts";

/** The demonstration account's password, which the manual publishes. */
export const PUBLISHED_PASSWORD = "duebook-demo";

/** One fixed hash, so that SQL can recognise the published password. */
export const PUBLISHED_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$reyhDTskOm8G0r9JbZULdw$gMZeWYvhg4OjfBUn4r/jV7pIBrTNAIVH973DIM4lDbU";

/** Compares in normal form, like password.ts. */
export const isPublishedPassword = (password: string) =>
  password.normalize("NFC") === PUBLISHED_PASSWORD;

const isPublished = (user: string) => `${user}.password_hash = '${PUBLISHED_HASH}'`;

export const hasPublishedPassword = (db: Database, user_id: string) =>
  concernsRow(db, `select 1 from app_user u where u.id = $1 and ${isPublished("u")}`, [
    user_id,
  ]);

/**
 * An SQL condition on a row of `app_user`: true if its password is the published one and may not be
 * used, because a seller of the person has a live API key or `isPublishedPasswordOff` says so. Null or
 * false without a password.
 */
export const isPublishedPasswordClosedSql = ({
  user,
  isOff,
}: {
  user: string;
  isOff: string;
}) =>
  `(${isPublished(user)} and (${isOff}::boolean or exists (
      select from membership own join billing_connection live on live.seller_id = own.seller_id
       where own.user_id = ${user}.id and live.mode = 'live')))`;

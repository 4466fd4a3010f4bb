import type { Database } from "#lib/db/pool.ts";

/** Of the demonstration's account: the manual names it. */
export const PUBLISHED_PASSWORD = "duebook-demo";

/** The same hash everywhere, so that a query can tell whose password it is. */
export const PUBLISHED_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$reyhDTskOm8G0r9JbZULdw$gMZeWYvhg4OjfBUn4r/jV7pIBrTNAIVH973DIM4lDbU";

/** However it is typed (password.ts). */
export const isPublishedPassword = (password: string) =>
  password.normalize("NFC") === PUBLISHED_PASSWORD;

const isPublished = (user: string) => `${user}.password_hash = '${PUBLISHED_HASH}'`;

export async function hasPublishedPassword(db: Database, user_id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from app_user u where u.id = $1 and ${isPublished("u")}`,
    [user_id],
  );
  return rowCount === 1;
}

/**
 * What a query asks of a row of `app_user`: whether its password is the published one, where that
 * opens nothing: beside a live key, or by what `isPublishedOff` says. Null without a password.
 */
export const isShut = ({ user, isOff }: { user: string; isOff: string }) =>
  `(${isPublished(user)} and (${isOff}::boolean or exists (
      select from membership own join billing_connection live on live.seller_id = own.seller_id
       where own.user_id = ${user}.id and live.mode = 'live')))`;

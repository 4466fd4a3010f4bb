import "server-only";
import { queryValue } from "#contract/process/database.ts";
import { phoneKey } from "#contract/phone-number.ts";
import { findAccountClient } from "#lib/billing/account.ts";
import { MessageClient } from "#lib/billing/message-client.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";

/**
 * The language that a buyer chose on their page, or a member for them; null without a choice. The
 * answer of the account at Duebook's own service is stored here too, because the dashboard's lists
 * and reminders read the stored language.
 */
export async function findBuyerLanguage(
  owner: KeyOwner,
  { phone, customer_id }: { phone: string; customer_id: number },
): Promise<string | null> {
  const db = database();
  const known = await readBuyerLanguage(db, owner, phone);
  const told = await askService(owner, { customer_id });
  if (told === undefined || told === known) return known;
  await saveBuyerLanguage(db, owner, { phone, language: told });
  return told;
}

/**
 * The language for a message to a subscription's buyer: the chosen one, else that of the last message
 * about it; null if neither is known.
 */
export async function findLanguageFor(
  owner: KeyOwner,
  subscription_id: string,
): Promise<string | null> {
  const told = await askService(owner, { subscription_id });
  if (told) return told;
  const { chosen, last } = await readLanguagesFor(database(), owner, subscription_id);
  // Null from the service means that no choice is in force, whatever is stored here.
  return (told === undefined ? chosen : null) ?? last;
}

/** What the dashboard knows of the language of a subscription's buyer, by its search index. */
export async function readLanguagesFor(
  db: Database,
  { seller_id, mode }: KeyOwner,
  subscription_id: string,
): Promise<{ chosen: string | null; last: string | null }> {
  const { rows } = await db.query<{ chosen: string | null; last: string | null }>(
    `select b.language as chosen, k.language as last
       from indexed_subscription s
       left join buyer_language b on b.seller_id = s.seller_id and b.mode = s.mode
         and b.phone_key = s.phone_key
       left join collection_state k on k.seller_id = s.seller_id and k.mode = s.mode
         and k.subscription_id = s.id
      where s.seller_id = $1 and s.mode = $2 and s.id = $3`,
    [seller_id, mode, subscription_id],
  );
  return rows[0] ?? { chosen: null, last: null };
}

/**
 * @returns undefined if the seller has no account at Duebook's own service, or it does not answer
 */
async function askService(
  owner: KeyOwner,
  of: Parameters<MessageClient["readBuyerLanguage"]>[0],
): Promise<string | null | undefined> {
  try {
    const client = await findAccountClient(owner, MessageClient);
    return client ? (await client.readBuyerLanguage(of)).language : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** The language that was chosen for the buyer with a phone; null without a choice. */
export const readBuyerLanguage = (db: Database, { seller_id, mode }: KeyOwner, phone: string) =>
  queryValue<string>(
    db,
    "select language from buyer_language where seller_id = $1 and mode = $2 and phone_key = $3",
    [seller_id, mode, phoneKey(phone)],
  );

/** Keeps the language that was chosen for a buyer; null to end the choice. */
export async function saveBuyerLanguage(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { phone, language }: { phone: string; language: string | null },
): Promise<void> {
  const who = [seller_id, mode, phoneKey(phone)];
  if (who[2] === "") return;
  if (language === null)
    await db.query(
      "delete from buyer_language where seller_id = $1 and mode = $2 and phone_key = $3",
      who,
    );
  else
    await db.query(
      `insert into buyer_language (seller_id, mode, phone_key, language) values ($1, $2, $3, $4)
       on conflict (seller_id, mode, phone_key) do update set language = $4`,
      [...who, language],
    );
}

import "server-only";
import { phoneKey } from "#contract/phone-number.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";

/** The language that was chosen for the buyer with a phone; null without a choice. */
export async function readBuyerLanguage(
  db: Database,
  { seller_id, mode }: KeyOwner,
  phone: string,
): Promise<string | null> {
  const { rows } = await db.query<{ language: string }>(
    "select language from buyer_language where seller_id = $1 and mode = $2 and phone_key = $3",
    [seller_id, mode, phoneKey(phone)],
  );
  return rows[0]?.language ?? null;
}

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

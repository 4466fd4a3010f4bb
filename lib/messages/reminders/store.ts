import "server-only";
import { concernsRow } from "#contract/process/database.ts";
import type pg from "pg";
import { MOST_LANGUAGES } from "#contract/names.ts";
import { inTransaction, type Database } from "#lib/db/pool.ts";
import {
  OUR_LANGUAGES,
  ourText,
  remindersOf,
  type CustomReminder,
  type ReminderForm,
  type ReminderKind,
  type SellerLanguage,
  type SellerTexts,
} from "./rules.ts";

/** The seller's texts, with the default where there is none, and their languages. */
export async function readReminders(db: Database, seller_id: string): Promise<SellerTexts> {
  const [texts, languages] = await Promise.all([
    db.query<CustomReminder>(
      "select kind, language, channel, body from reminder_text where seller_id = $1",
      [seller_id],
    ),
    readLanguages(db, seller_id),
  ]);
  return { reminders: remindersOf(texts.rows, languages), languages };
}

/** The languages in which a seller writes, Duebook's languages first. */
export async function readLanguages(
  db: Database,
  seller_id: string,
): Promise<SellerLanguage[]> {
  const { rows } = await db.query<SellerLanguage>(
    "select code, name from seller_language where seller_id = $1 order by code",
    [seller_id],
  );
  return [...OUR_LANGUAGES, ...rows];
}

/**
 * Adds a language, or changes its name.
 * @returns false if the seller already has the maximum number of languages
 */
export const addLanguage = (db: Database, seller_id: string, { code, name }: SellerLanguage) =>
  concernsRow(
    db,
    `insert into seller_language (seller_id, code, name)
     select $1, $2, $3 where (
       select count(*) from seller_language where seller_id = $1 and code <> $2) < $4
     on conflict (seller_id, code) do update set name = $3`,
    [seller_id, code, name, MOST_LANGUAGES - OUR_LANGUAGES.length],
  );

/** Removes a language with its texts; the logged messages to buyers stay. */
export const removeLanguage = (db: Database, seller_id: string, code: string) =>
  db.query(
    `with gone as (delete from seller_language where seller_id = $1 and code = $2)
     delete from reminder_text where seller_id = $1 and language = $2`,
    [seller_id, code],
  );

interface NewReminder {
  language: string;
  form: ReminderForm;
  body: string;
}

/**
 * Stores the seller's own texts. Default texts are not stored, so that they change with Duebook.
 */
export async function saveReminders(
  pool: Pick<pg.Pool, "connect">,
  seller_id: string,
  { kind, texts }: { kind: ReminderKind; texts: NewReminder[] },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    for (const { language, form, body } of texts) {
      const which = [seller_id, kind, language, form];
      if (body === ourText(kind, language, form))
        await client.query(
          `delete from reminder_text
            where seller_id = $1 and kind = $2 and language = $3 and channel = $4`,
          which,
        );
      else
        await client.query(
          `insert into reminder_text (seller_id, kind, language, channel, body)
           values ($1, $2, $3, $4, $5)
           on conflict (seller_id, kind, language, channel)
             do update set body = $5, updated_at = now()`,
          [...which, body],
        );
    }
  });
}

import "server-only";
import type pg from "pg";
import { inTransaction, type Database } from "#lib/db/pool.ts";
import type { Language } from "#lib/i18n/languages.ts";
import {
  DEFAULT_REMINDERS,
  remindersOf,
  type CustomReminder,
  type ReminderForm,
  type ReminderKind,
  type Reminders,
} from "./rules.ts";

/** The seller's texts, with the default where there is none. */
export async function readReminders(db: Database, seller_id: string): Promise<Reminders> {
  const { rows } = await db.query<CustomReminder>(
    "select kind, language, channel, body from reminder_text where seller_id = $1",
    [seller_id],
  );
  return remindersOf(rows);
}

interface NewReminder {
  language: Language;
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
      if (body === DEFAULT_REMINDERS[kind][language][form])
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
